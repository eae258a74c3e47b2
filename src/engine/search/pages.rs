//! Memory for tables: the only place that asks the system for it.

use std::hint::black_box;
use std::ops::{Deref, DerefMut};

use bytemuck::Zeroable;
use bytemuck::allocation::try_zeroed_vec;
use memmap2::{MmapMut, MmapOptions};

use crate::host::Instant;

/// Bytes of the smallest page of any system.
const PAGE: usize = 4096;
/// Bytes that tables leave to the rest of the program: where memory is limited, a
/// stack or a list that cannot grow would end it without an answer.
const RESERVE: usize = 16 << 20;
/// Tables of at most this many bytes may use the reserve.
const MAX_SMALL_TABLE: usize = 1 << 20;

/// Memory of a table.
///
/// Tables are mapped rather than allocated, to get large pages: a search reads them
/// at random, and looking up 4 kB pages costs as much as the rest of a node. The
/// system zeroes pages when they are first touched, so even a large table is there at
/// once; but touching it 4 kB at a time slows the start of a search down by a third,
/// and two threads to the speed of one.
#[derive(Debug)]
pub(super) enum Pages {
    /// In large pages where the system has them.
    Mapped(MmapMut),
    /// Where the system cannot map memory.
    Allocated(Vec<u64>),
}

impl Deref for Pages {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Mapped(map) => map,
            Self::Allocated(words) => bytemuck::cast_slice(words),
        }
    }
}

impl DerefMut for Pages {
    fn deref_mut(&mut self) -> &mut [u8] {
        match self {
            Self::Mapped(map) => map,
            Self::Allocated(words) => bytemuck::cast_slice_mut(words),
        }
    }
}

/// Returns `bytes` zeroed bytes, rounded up to whole words where they are allocated;
/// `None` if the memory does not suffice for them and for the reserve.
pub(super) fn zeroed(bytes: usize) -> Option<Pages> {
    let Ok(map) = MmapMut::map_anon(bytes) else {
        let words = bytes.div_ceil(size_of::<u64>());
        return zeroed_vec(words).map(Pages::Allocated);
    };
    // Only a request: without large pages it is merely slower.
    #[cfg(target_os = "linux")]
    let _ = map.advise(memmap2::Advice::HugePage);
    leaves_reserve(bytes).then_some(Pages::Mapped(map))
}

/// Returns `len` zeroed elements; `None` as for [`zeroed`].
pub(super) fn zeroed_vec<T: Zeroable>(len: usize) -> Option<Vec<T>> {
    let elements = try_zeroed_vec(len).ok()?;
    leaves_reserve(len.saturating_mul(size_of::<T>())).then_some(elements)
}

/// What `make` makes of a size, or else of half of it, and so on to 0.
#[expect(
    clippy::expect_used,
    reason = "without memory for a single bucket nothing can go on"
)]
pub(super) fn largest<T>(size: usize, make: impl Fn(usize) -> Option<T>) -> T {
    let halved = |size: &usize| (*size > 0).then_some(size / 2);
    let made = std::iter::successors(Some(size), halved).find_map(make);
    made.expect("there is memory for a single bucket")
}

/// Whether a table of `bytes` bytes has left the reserve, or may use it.
fn leaves_reserve(bytes: usize) -> bool {
    bytes <= MAX_SMALL_TABLE || has_room(RESERVE)
}

pub(super) fn has_room(bytes: usize) -> bool {
    let unknown = cfg!(target_family = "wasm");
    let room = MmapOptions::new().len(bytes).no_reserve_swap().map_anon();
    unknown || room.is_ok()
}

/// Has the system provide the pages now rather than during a search, where each of
/// them can cost milliseconds on a virtual machine; stops at the deadline.
pub(super) fn touch(memory: &mut [u8], deadline: Instant) {
    for piece in memory.chunks_mut(512 * PAGE) {
        if Instant::now() >= deadline {
            return;
        }
        for byte in piece.iter_mut().step_by(PAGE) {
            *byte = black_box(*byte);
        }
    }
}
