//! QR codes, by which a phone continues a game from another screen.

use std::fmt::Write;

use qrcode::{Color, EcLevel, QrCode};
use serde_json::{Value as Json, json};

use crate::record::fault::Fault;

/// Draws a QR code without the margin of four modules that it needs: the `size` is the number
/// of modules in a row, each one unit wide, and the `path` that of the dark ones in SVG.
///
/// # Errors
/// When the text is too long: at most 2,953 bytes fit.
pub(super) fn drawing(text: &str) -> Result<Json, Fault> {
    let code = QrCode::with_error_correction_level(text, EcLevel::L).map_err(|why| Fault::Qr {
        bytes: text.len(),
        text: why.to_string(),
    })?;
    let size = code.width();
    let mut path = String::new();
    for (y, row) in code.to_colors().chunks(size).enumerate() {
        for (x, _) in (row.iter().enumerate()).filter(|(_, color)| **color == Color::Dark) {
            let _ = write!(path, "M{x} {y}h1v1h-1z");
        }
    }
    Ok(json!({"size": size, "path": path}))
}
