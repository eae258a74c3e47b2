//! What is compiled here for both games although only other crates call it.
//!
//! A generic function is compiled in the crate that uses it, at that crate's level of
//! optimisation, and with it all generic functions below. Other crates of the workspace are
//! not optimised while somebody works on them. But a function marked `#[inline(never)]` is
//! shared if this crate has compiled it for the same types, so such a mark stands at each way
//! into what takes long. The compiler does so without having promised it: `.ci/run` compares
//! the speed of both builds.

use std::hint::black_box;

use crate::game::{Hokito, Yoxii, action_of, fill_mask, fill_planes, legal_move};
use crate::search::certificates::certify;
use crate::search::certificates::estimate::estimate;
use crate::search::certificates::parts::split;

/// Names each function for each game.
pub fn instances() {
    black_box([
        action_of::<Hokito> as *const (),
        action_of::<Yoxii> as *const (),
        fill_mask::<Hokito> as *const (),
        fill_mask::<Yoxii> as *const (),
        fill_planes::<Hokito> as *const (),
        fill_planes::<Yoxii> as *const (),
        legal_move::<Hokito> as *const (),
        legal_move::<Yoxii> as *const (),
        certify::<Hokito> as *const (),
        certify::<Yoxii> as *const (),
        estimate::<Hokito> as *const (),
        estimate::<Yoxii> as *const (),
        split::<Hokito> as *const (),
        split::<Yoxii> as *const (),
    ]);
}
