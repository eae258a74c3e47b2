//! The files of the page, compiled in.

use axum::http::header::CONTENT_TYPE;
use axum::http::{StatusCode, Uri};
use axum::response::{IntoResponse, Response};

/// Pairs each file's name with its contents.
macro_rules! files {
    ($($name:literal),* $(,)?) => {
        [$(($name, include_bytes!(concat!("page/", $name)).as_slice())),*]
    };
}

/// Every file that is handed out; no other can be reached.
static FILES: &[(&str, &[u8])] = &files![
    "analysis.js",
    "app.js",
    "arrows.js",
    "board.js",
    "boardview.js",
    "editor.js",
    "engine.js",
    "files.js",
    "finale.js",
    "games.js",
    "graph.js",
    "icon.svg",
    "index.html",
    "learn.js",
    "lessons.json",
    "look.js",
    "main.js",
    "match.js",
    "moving.js",
    "notation.js",
    "page.js",
    "panels.js",
    "pieces.js",
    "pointing.js",
    "puzzles.tsv",
    "review.js",
    "rules.js",
    "socket.js",
    "sound.js",
    "starting.js",
    "store.js",
    "story.js",
    "strings.js",
    "style.css",
    "svg.js",
    "transport.js",
    "tree.js",
    "values.js",
];

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
