//! One tab of the page: its WebSocket, its engines and its review. All of them end with
//! the tab.
//!
//! A message from the page that begins with `{` is for the server. It is a [`Command`] or a
//! question to the library ([`facts::reply`]); what is answered has a number `call`, the
//! command that asks for the journal, too. Any other message is `ID LINE`, a line for the
//! engine that the page started under that name; engines answer in the same form. Without
//! being asked, the server says `hello`, which engine has `ended`, and which message it
//! `refused`.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::upgrade::{OnUpgrade, Upgraded};
use hyper::{Request, StatusCode};
use hyper_util::rt::TokioIo;
use serde::Deserialize;
use serde_json::{Value as Json, json};
use tokio::sync::mpsc::{Sender, channel};
use tokio::task::{JoinError, spawn_blocking};
use tokio::time::timeout;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::handshake::server::create_response_with_body;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;
use tokio_tungstenite::tungstenite::protocol::{CloseFrame, Message, Role, WebSocketConfig};

use super::tab_engine::{EngineEnd, Received, TabEngine};
use super::{Response, Shared, access, allowed, plain};
use crate::process::Launch;
use totemic_engine::game::GameKind;
use totemic_engine::stop::Stop;
use totemic_engine::text::quoted;
use totemic_games::facts::{self, Fault};

/// Longest message from the page, in bytes; a file of games has to fit.
const MAX_MESSAGE: usize = 1024 * 1024;
/// How long a page that reads nothing may keep its socket.
const SEND_TIMEOUT: Duration = Duration::from_secs(20);
/// Messages that may wait for a slow socket.
const MAX_WAITING_MESSAGES: usize = 512;
const MAX_ENGINES: usize = 6;
/// The most letters in a name that the page gives to an engine.
const MAX_ID: usize = 16;

/// What the page asks of the server itself.
#[derive(Debug, Deserialize)]
#[serde(tag = "ask", rename_all = "lowercase")]
enum Command {
    /// Start an engine of the list; one of the same name is ended first.
    Start {
        id: String,
        engine: usize,
        game: String,
    },
    End {
        id: String,
    },
    /// Send the games of the journal from this one on.
    Journal {
        call: u64,
        from: usize,
    },
    /// Stop the review: its reply contains what is known by then.
    Enough,
}

type Socket = WebSocketStream<TokioIo<Upgraded>>;

pub(super) fn open(shared: &Arc<Shared>, mut request: Request<Incoming>) -> Response {
    let refused = |why| plain(StatusCode::FORBIDDEN, why);
    if !access::has_own_origin(request.headers(), shared.port) {
        return refused("only the board's own page may use it\n");
    }
    let mut parameters = request.uri().query().unwrap_or_default().split('&');
    if parameters.find_map(|part| part.strip_prefix("token=")) != Some(&shared.token) {
        return refused("open the address that was printed\n");
    }
    let Ok(response) = create_response_with_body(&request, Full::default) else {
        return plain(StatusCode::BAD_REQUEST, "expected a WebSocket\n");
    };
    tokio::spawn(run(Arc::clone(shared), hyper::upgrade::on(&mut request)));
    response
}

async fn run(shared: Arc<Shared>, upgrade: OnUpgrade) {
    let place = Arc::clone(&shared.tabs).try_acquire_owned();
    // A client that has gone meanwhile is not the board's error.
    let Ok(stream) = upgrade.await else { return };
    let config = WebSocketConfig::default()
        .max_message_size(Some(MAX_MESSAGE))
        .max_frame_size(Some(MAX_MESSAGE));
    let stream = TokioIo::new(stream);
    let mut socket = Socket::from_raw_socket(stream, Role::Server, Some(config)).await;
    if place.is_ok() {
        serve(shared, socket).await;
    } else {
        // A page cannot see the HTTP status of a socket that was refused.
        let (code, reason) = (CloseCode::Again, "too many tabs".into());
        let close = Message::Close(Some(CloseFrame { code, reason }));
        let _ = timeout(SEND_TIMEOUT, socket.send(close)).await;
    }
    drop(place);
}

async fn serve(shared: Arc<Shared>, mut socket: Socket) {
    let (events, mut heard) = channel(MAX_WAITING_MESSAGES);
    let engines: Vec<_> = shared.engines.iter().map(|it| &it.name).collect();
    let journal = shared.journal.is_some();
    let hello = json!({"say": "hello", "engines": engines, "journal": journal});
    let mut tab = Tab {
        shared,
        events,
        engines: HashMap::new(),
        review: Stop::new(),
    };
    let mut message = Some(hello.to_string());
    loop {
        if let Some(message) = message.take() {
            let sent = timeout(SEND_TIMEOUT, socket.send(Message::Text(message.into()))).await;
            if !matches!(sent, Ok(Ok(()))) {
                return;
            }
        }
        tokio::select! {
            Some(event) = heard.recv() => message = tab.relay(event).await,
            received = socket.next() => match received {
                Some(Ok(Message::Text(text))) => message = tab.take(&text).await,
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                _ => return,
            },
        }
    }
}

struct Tab {
    shared: Arc<Shared>,
    /// Carries events from the engines and the review to the socket.
    events: Sender<Received>,
    engines: HashMap<Arc<str>, TabEngine>,
    review: Stop,
}

impl Drop for Tab {
    fn drop(&mut self) {
        self.review.now();
    }
}

impl Tab {
    /// What the page is told; nothing about an engine that it has ended.
    async fn relay(&mut self, event: Received) -> Option<String> {
        match event {
            Received::Message(message) => {
                let introduced = (message.strip_suffix(" ugiok"))
                    .or_else(|| message.strip_suffix(" uciok"))
                    .and_then(|id| self.engines.get(id));
                introduced.map(TabEngine::set_options);
                Some(message)
            }
            Received::Ended(id, last) => {
                // Another engine may have taken this name.
                let (own, engine) = self.engines.remove_entry(&id)?;
                if !Arc::ptr_eq(&own, &id) {
                    self.engines.insert(own, engine);
                    return None;
                }
                let ending = spawn_blocking(move || engine.end(&last)).await.ok()?;
                Some(ended(&id, &ending))
            }
        }
    }

    /// Acts on a message from the page; returns what to tell the page at once.
    async fn take(&mut self, message: &str) -> Option<String> {
        let done = if message.starts_with('{') {
            self.act(message).await
        } else {
            match message.split_once(' ') {
                Some((id, line)) => self.tell(id, line),
                None => Err("expected the name of an engine and a line".to_owned()),
            }
        };
        done.unwrap_or_else(|why| Some(json!({"say": "refused", "why": why}).to_string()))
    }

    async fn act(&mut self, message: &str) -> Result<Option<String>, String> {
        let json: Json = serde_json::from_str(message).map_err(|why| why.to_string())?;
        if let (Some(call), true) = (json["call"].as_u64(), json["ask"] != "journal") {
            if json["ask"] == "review" {
                self.begin_review(call, json);
                return Ok(None);
            }
            let reply = move || facts::reply(json, &Stop::new(), |_| ());
            return Ok(Some(replied(call, spawn_blocking(reply).await)));
        }
        match serde_json::from_value(json).map_err(|why| why.to_string())? {
            Command::Start { id, engine, game } => return self.start(id, engine, &game),
            Command::End { id } => drop(self.engines.remove(&*id)),
            Command::Enough => self.review.now(),
            Command::Journal { call, from } => {
                let why = "there is no journal: start the board with --journal";
                let journal = self.shared.journal.as_ref().ok_or(why)?;
                return Ok(Some(journal.reply(call, from)));
            }
        }
        Ok(None)
    }

    /// Waits until the board has a processor for it, and stops the previous one.
    fn begin_review(&mut self, call: u64, question: Json) {
        self.review.now();
        let stop = Stop::new();
        self.review = stop.clone();
        let (events, places) = (self.events.clone(), Arc::clone(&self.shared.reviews));
        tokio::spawn(async move {
            let place = places.acquire_owned().await;
            let news = events.clone();
            let review = spawn_blocking(move || {
                let review = facts::reply(question, &stop, |message| {
                    let _ = news.blocking_send(Received::Message(message));
                });
                drop(place);
                review
            });
            let reply = replied(call, review.await);
            let _ = events.send(Received::Message(reply)).await;
        });
    }

    fn start(&mut self, id: String, engine: usize, game: &str) -> Result<Option<String>, String> {
        if id.is_empty() || id.len() > MAX_ID || !id.bytes().all(|b| b.is_ascii_lowercase()) {
            let id = quoted(&id);
            return Err(format!("{id}: expected 1 to {MAX_ID} letters from a to z"));
        }
        let game = GameKind::named(game)
            .ok_or_else(|| format!("{}: expected {}", quoted(game), GameKind::any_name()))?;
        let spec = (self.shared.engines.get(engine))
            .ok_or_else(|| format!("there is no engine {engine}"))?;
        self.engines.remove(&*id);
        if self.engines.len() >= MAX_ENGINES {
            return Err(format!("a tab has at most {MAX_ENGINES} engines"));
        }
        let launch = Launch::new(spec, game.name())?;
        let id: Arc<str> = id.into();
        match TabEngine::start(Arc::clone(&id), &launch, &spec.options, self.events.clone()) {
            Ok(engine) => {
                self.engines.insert(id, engine);
                Ok(None)
            }
            Err(why) => Ok(Some(ended(&id, &("no-start", why.to_string())))),
        }
    }

    fn tell(&mut self, id: &str, line: &str) -> Result<Option<String>, String> {
        // The engine may have ended while the line was on its way.
        let Some(engine) = self.engines.get(id) else {
            return Ok(None);
        };
        allowed::check(line)?;
        if engine.send(line.to_owned()) {
            return Ok(None);
        }
        self.engines.remove(id);
        let ending = ("deaf", "it does not read its input".to_owned());
        Ok(Some(ended(id, &ending)))
    }
}

fn ended(id: &str, (how, why): &EngineEnd) -> String {
    json!({"say": "ended", "id": id, "how": how, "why": why}).to_string()
}

/// Returns what the page is told, also if the thread gave no reply.
fn replied(call: u64, reply: Result<String, JoinError>) -> String {
    reply.unwrap_or_else(|why| facts::reply_json(call, Err(Fault::plain(why))))
}
