//! The files of the page, compiled in.

use hyper::StatusCode;

use super::{Response, of_type, plain};

/// Every file that is handed out; no other can be reached.
static FILES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/page.rs"));

pub(super) fn file(path: &str) -> Response {
    let name = match path {
        "/" => "index.html",
        path => path.strip_prefix('/').unwrap_or_default(),
    };
    match FILES.iter().find(|(file, _)| *file == name) {
        Some((_, contents)) => of_type(media_type(name), contents),
        None => plain(StatusCode::NOT_FOUND, "there is no such file\n"),
    }
}

fn media_type(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("json") => "application/json",
        Some("tsv") => "text/tab-separated-values; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        _ => "application/octet-stream",
    }
}
