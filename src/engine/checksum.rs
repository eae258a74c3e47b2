//! The checksum of the project's binary files, and bytes as hexadecimal digits.

/// Returns the CRC-32 of some bytes, as zip and PNG use it (ISO-HDLC, polynomial
/// 0x04c11db7 reflected). The files are small, so a table of remainders would not pay.
pub(crate) fn crc32(bytes: &[u8]) -> u32 {
    let step = |rest: u32, _| (rest >> 1) ^ (0xedb8_8320 & (rest & 1).wrapping_neg());
    let add = |rest: u32, &byte: &u8| (0..8).fold(rest ^ u32::from(byte), step);
    !bytes.iter().fold(u32::MAX, add)
}

/// Writes bytes as lower-case hexadecimal digits, two for each byte.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
