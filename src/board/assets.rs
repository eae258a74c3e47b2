//! The files of the page, compiled in.

use axum::http::header::CONTENT_TYPE;
use axum::http::{StatusCode, Uri};
use axum::response::{IntoResponse, Response};

/// Every file that is handed out; no other can be reached.
static FILES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/page.rs"));

/// Answers with a file of the page; `/` is the page itself.
pub(super) async fn file(uri: Uri) -> Response {
    let name = match uri.path() {
        "/" => "index.html",
        path => path.strip_prefix('/').unwrap_or_default(),
    };
    let Some((_, contents)) = FILES.iter().find(|(file, _)| *file == name) else {
        return (StatusCode::NOT_FOUND, "there is no such file\n").into_response();
    };
    ([(CONTENT_TYPE, media_type(name))], *contents).into_response()
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
