//! The board in a browser: a server on a loopback address.
//!
//! The server hands out the page in `page/` and opens one WebSocket for each tab. Through
//! it the page starts engines and speaks UGI with them, so any UGI engine can be a player
//! or an analyst. What the page has to know about a game it asks the library, through
//! [`facts`](totemic_games::facts).
//!
//! | module | what it holds |
//! | --- | --- |
//! | `access` | who is let in: Host, Origin and token |
//! | `followed_journal` | the journal of a match, read as it grows |
//! | `tab` | one tab: its WebSocket, engines and review |
//! | `tab_engine` | one engine, whose output goes to the tab as it comes |
//! | `allowed` | the lines and options that the page may send to an engine |
//!
//! # Security
//!
//! Any page on the web may try to reach a loopback address. Therefore `Host` and `Origin`
//! are each compared with a list of loopback names and the port (comparing one with the
//! other fails when a foreign name is rebound to this address), the socket needs a secret
//! that only the printed address contains, the commands of engines come from the command
//! line and never from the page, and options that touch files are refused. The numbers of
//! connections, tabs, engines and reviews are limited, and a request has to be complete
//! within seconds.

mod access;
mod allowed;
mod followed_journal;
mod tab;
mod tab_engine;

use std::collections::VecDeque;
use std::convert::Infallible;
use std::future::ready;
use std::io;
use std::net::Ipv4Addr;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::available_parallelism;
use std::time::Duration;

use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::header::{ALLOW, CONTENT_TYPE, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::TcpListener;
use tokio::sync::{Notify, Semaphore};
use tokio::task::AbortHandle;

use self::followed_journal::FollowedJournal;
use crate::process::EngineSpec;

/// Connections at the same time, not counting the sockets of tabs; for one more, the
/// oldest that has asked for nothing has to go.
const MAX_CONNECTIONS: usize = 128;
const MAX_TABS: usize = 32;
const HEAD_TIMEOUT: Duration = Duration::from_secs(5);
/// Pause when the system has no more connections to give.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

type Response = hyper::Response<Full<Bytes>>;

#[derive(Debug)]
struct Shared {
    /// Engines that the page may start; it names them by their index in this list.
    engines: Vec<EngineSpec>,
    journal: Option<Arc<FollowedJournal>>,
    port: u16,
    token: String,
    /// One permit for each tab that may still be opened.
    tabs: Arc<Semaphore>,
    /// One permit for each review that may still run.
    reviews: Arc<Semaphore>,
}

/// A board that has taken its port and waits to be run.
#[derive(Debug)]
pub(crate) struct Board {
    listener: std::net::TcpListener,
    shared: Shared,
}

impl Board {
    /// Makes a board with these engines, which shows the games of a journal as they come.
    pub(crate) fn new(
        listener: std::net::TcpListener,
        engines: Vec<EngineSpec>,
        journal: Option<PathBuf>,
    ) -> io::Result<Self> {
        listener.set_nonblocking(true)?;
        let processors = available_parallelism().map_or(1, |count| count.get());
        let shared = Shared {
            engines,
            journal: journal.map(FollowedJournal::begin).transpose()?,
            port: listener.local_addr()?.port(),
            token: access::token()?,
            tabs: Arc::new(Semaphore::new(MAX_TABS)),
            reviews: Arc::new(Semaphore::new(processors)),
        };
        Ok(Self { listener, shared })
    }

    /// The address to open; whoever knows it may use the board.
    pub(crate) fn url(&self) -> String {
        let Shared { port, token, .. } = &self.shared;
        format!("http://{}:{port}/?token={token}", Ipv4Addr::LOCALHOST)
    }

    /// Serves until `stop` is notified, then ends every engine.
    pub(crate) fn run(self, stop: &Notify) -> io::Result<()> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        let ended = runtime.block_on(async {
            let listener = TcpListener::from_std(self.listener)?;
            let shared = Arc::new(self.shared);
            tokio::select! {
                () = serve(&listener, &shared) => {}
                () = stop.notified() => {}
            }
            Ok(())
        });
        // The tabs are dropped here, which kills their engines. A review may still be
        // running; nobody waits for it.
        runtime.shutdown_background();
        ended
    }
}

async fn serve(listener: &TcpListener, shared: &Arc<Shared>) {
    let places = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    // Connections, the oldest first, with whether they have ever asked for something.
    let mut connections: VecDeque<(AbortHandle, Arc<AtomicBool>)> = VecDeque::new();
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIMEOUT);
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            tokio::time::sleep(ACCEPT_PAUSE).await;
            continue;
        };
        connections.retain(|(task, _)| !task.is_finished());
        if places.available_permits() == 0 {
            // Whoever sends half a request must not keep others out.
            let mut seen = connections.iter().map(|(_, request_seen)| request_seen);
            let silent = seen.position(|seen| !seen.load(Ordering::Relaxed));
            if let Some((task, _)) = silent.and_then(|at| connections.remove(at)) {
                task.abort();
            }
        }
        let Ok(place) = Arc::clone(&places).acquire_owned().await else {
            return;
        };
        let request_seen = Arc::new(AtomicBool::new(false));
        let (on_request, shared) = (Arc::clone(&request_seen), Arc::clone(shared));
        let service = service_fn(move |request| {
            on_request.store(true, Ordering::Relaxed);
            ready(Ok::<_, Infallible>(answer(&shared, request)))
        });
        let connection = http.serve_connection(TokioIo::new(stream), service);
        let task = tokio::spawn(async move {
            // If a client has gone, that is not the board's error.
            let _ = connection.with_upgrades().await;
            drop(place);
        });
        connections.push_back((task.abort_handle(), request_seen));
    }
}

fn answer(shared: &Arc<Shared>, request: Request<Incoming>) -> Response {
    let mut response = match access::refusal(request.headers(), shared.port) {
        Some(why) => plain(StatusCode::FORBIDDEN, why),
        None if request.uri().path() == "/socket" => tab::open(shared, request),
        None if [Method::GET, Method::HEAD].contains(request.method()) => {
            file(request.uri().path())
        }
        None => {
            let mut refusal = plain(StatusCode::METHOD_NOT_ALLOWED, "");
            let methods = HeaderValue::from_static("GET, HEAD");
            refusal.headers_mut().insert(ALLOW, methods);
            refusal
        }
    };
    access::protect(response.headers_mut());
    response
}

fn plain(status: StatusCode, text: &'static str) -> Response {
    let mut response = of_type("text/plain; charset=utf-8", text.as_bytes());
    *response.status_mut() = status;
    response
}

fn of_type(media_type: &'static str, contents: &'static [u8]) -> Response {
    let mut response = Response::new(Full::from(contents));
    let media_type = HeaderValue::from_static(media_type);
    response.headers_mut().insert(CONTENT_TYPE, media_type);
    response
}

/// Every file that is handed out; no other can be reached.
static FILES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/page.rs"));

fn file(path: &str) -> Response {
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
