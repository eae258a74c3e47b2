//! QR codes, by which a phone continues a game from another screen.

use std::fmt::Write;

use qrcode::{Color, EcLevel, QrCode};
use serde::Serialize;

use crate::record::fault::Fault;

/// A QR code as a drawing, without the margin of four modules that it needs.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct QrDrawing {
    /// Number of modules in a row; a module is one unit wide.
    pub size: usize,
    /// The dark modules, as an SVG path.
    pub path: String,
}

impl QrDrawing {
    /// # Errors
    /// When the text is too long: at most 2,953 bytes fit.
    pub(super) fn of(text: &str) -> Result<Self, Fault> {
        let code =
            QrCode::with_error_correction_level(text, EcLevel::L).map_err(|why| Fault::Qr {
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
        Ok(Self { size, path })
    }
}
