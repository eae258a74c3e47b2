//! The board in a browser: a pipe between tabs and UGI processes.
//!
//! A small server on a loopback address hands out the page in `page/` and
//! opens one WebSocket for each tab. Through it the page starts engines and
//! speaks UGI with each of them; what it knows about a game it asks a child
//! of this very program, the referee. So there are no rules in the page, and any UGI
//! engine can be player or analyst; games on paper and reviews are the library's.
//!
//! | module | what it holds |
//! | --- | --- |
//! | `door` | who is let in: Host, Origin and token |
//! | `assets` | the files of the page |
//! | `socket` | one WebSocket: bounded messages in, bounded messages out |
//! | `tab` | the engines of a tab, kept for a moment when its socket is lost |
//! | `child` | one engine as a child process, with measures against floods |
//! | `pass` | the lines and options that the page may send to an engine |
//! | `paper` | games and moves on paper, read and written for the page; the end explained |
//! | `reviewing` | the library's review of a game, streamed |
//! | `message` | what the page asks of the server itself |
//!
//! # Security
//!
//! Any page on the web may try to reach a loopback address. Hence: `Host` and
//! `Origin` are each compared with a list of loopback names and the port
//! (comparing one with the other fails when a foreign name is rebound to this
//! address), the socket needs a secret that only the printed address holds,
//! commands of engines come from the command line and never from the page,
//! and options that touch files do not pass.

mod assets;
mod child;
mod door;
mod message;
mod paper;
mod pass;
mod reviewing;
mod socket;
mod tab;

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::middleware::from_fn_with_state;
use axum::routing::{any, get};
use tokio::net::TcpListener;
use tokio::sync::Notify;

use crate::process::{EngineSpec, SELF};
use tab::Tabs;

/// The port where nobody asks for another.
pub(crate) const PORT: u16 = 4747;

/// What the board serves.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    /// Engines that the page may start, by their place in this list.
    pub engines: Vec<EngineSpec>,
    /// A match's journal, whose games the page shows as they come.
    pub journal: Option<PathBuf>,
    /// How long the engines of a lost socket wait for a reload to take over.
    pub grace: Duration,
}

impl Default for Settings {
    /// This very program as the only engine; five seconds for a reload.
    fn default() -> Self {
        Self {
            engines: vec![EngineSpec {
                name: "Totemic".to_owned(),
                cmd: SELF.to_owned(),
                ..EngineSpec::default()
            }],
            journal: None,
            grace: Duration::from_secs(5),
        }
    }
}

/// What all requests share.
struct AppState {
    settings: Settings,
    port: u16,
    token: String,
    tabs: Tabs,
}

/// A board that has a port and waits to be run.
#[derive(Debug)]
pub(crate) struct Board {
    listener: std::net::TcpListener,
    address: SocketAddr,
    token: String,
    settings: Settings,
}

impl Board {
    /// Takes a port on the loopback address; 0 is any that is free.
    ///
    /// # Errors
    /// When the port is in use, or the system has no randomness for a token.
    pub(crate) fn bind(port: u16, settings: Settings) -> io::Result<Self> {
        let listener = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        listener.set_nonblocking(true)?;
        Ok(Self {
            address: listener.local_addr()?,
            listener,
            token: door::token()?,
            settings,
        })
    }

    /// The address to open: with it goes the right to use the board.
    #[must_use]
    pub(crate) fn url(&self) -> String {
        format!("http://{}/?token={}", self.address, self.token)
    }

    /// Serves until `stop` is notified, then ends every engine.
    ///
    /// # Errors
    /// When the system refuses the threads or files that a server needs.
    pub(crate) fn run(self, stop: &Notify) -> io::Result<()> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        let ended = runtime.block_on(async {
            let listener = TcpListener::from_std(self.listener)?;
            let shared = Arc::new(AppState {
                port: self.address.port(),
                token: self.token,
                tabs: Tabs::default(),
                settings: self.settings,
            });
            let server = axum::serve(listener, router(Arc::clone(&shared)));
            let ended = tokio::select! {
                ended = server => ended,
                () = stop.notified() => Ok(()),
            };
            shared.tabs.close_all().await;
            ended
        });
        // A review may still be on its way to its end; nobody waits for it.
        runtime.shutdown_background();
        ended
    }
}

fn router(shared: Arc<AppState>) -> Router {
    Router::new()
        .route("/socket", any(socket::upgrade))
        .route("/", get(assets::index))
        .route("/{*path}", get(assets::file))
        .layer(from_fn_with_state(Arc::clone(&shared), door::check))
        .with_state(shared)
}
