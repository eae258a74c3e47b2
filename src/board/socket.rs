//! One WebSocket: messages of the page in, messages of engines out.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::extract::{Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use tokio::time::timeout;

use super::message::{Ask, Say};
use super::tab::{Seat, Tab};
use super::{AppState, Settings, door, paper, reviewing};
use crate::game::GameKind;

/// No message of the page is longer, in bytes: a file of games has to fit.
const MAX_MESSAGE: usize = 1024 * 1024;
/// How long a page that reads nothing may keep its socket.
const SLOWEST: Duration = Duration::from_secs(20);

/// What stands in the socket's address.
#[derive(Debug, Deserialize)]
pub(super) struct Address {
    token: Option<String>,
    tab: Option<String>,
}

/// Opens the socket of a page of this board.
pub(super) async fn upgrade(
    State(shared): State<Arc<AppState>>,
    Query(address): Query<Address>,
    headers: HeaderMap,
    socket: WebSocketUpgrade,
) -> Response {
    let refused = |why: &'static str| (StatusCode::FORBIDDEN, why).into_response();
    if !door::has_own_origin(&headers, shared.port) {
        return refused("only the board's own page may use it\n");
    }
    if address.token.as_deref() != Some(&shared.token) {
        return refused("open the address that the command has printed\n");
    }
    match shared.tabs.take(address.tab.as_deref()) {
        Ok(Some(seat)) => socket
            .max_message_size(MAX_MESSAGE)
            .max_frame_size(MAX_MESSAGE)
            .on_upgrade(move |socket| serve(shared, socket, seat)),
        Ok(None) => (StatusCode::SERVICE_UNAVAILABLE, "too many tabs\n").into_response(),
        Err(why) => (StatusCode::INTERNAL_SERVER_ERROR, why.to_string()).into_response(),
    }
}

/// Carries messages until the socket closes or another one takes the tab.
async fn serve(shared: Arc<AppState>, mut socket: WebSocket, mut seat: Seat) {
    let hello = seat.tab.hello(&shared.settings).text();
    let mut open = send(&mut socket, hello).await;
    while open {
        open = tokio::select! {
            said = seat.messages.recv() => match said {
                Some(text) => send(&mut socket, text).await,
                None => false,
            },
            received = socket.recv() => match received {
                Some(Ok(Message::Text(text))) => {
                    let answer = take(&seat.tab, &shared.settings, &text);
                    match answer {
                        Some(say) => send(&mut socket, say.text()).await,
                        None => true,
                    }
                }
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => true,
                _ => false,
            },
        };
    }
    drop(socket);
    shared.tabs.leave(seat, shared.settings.grace).await;
}

/// Whether the message went out in time.
async fn send(socket: &mut WebSocket, text: String) -> bool {
    let sent = timeout(SLOWEST, socket.send(Message::Text(text.into()))).await;
    matches!(sent, Ok(Ok(())))
}

/// Acts on one message of the page; what it is told at once.
fn take(tab: &Arc<Tab>, settings: &Settings, text: &str) -> Option<Say> {
    let done = if text.starts_with('{') {
        match serde_json::from_str(text) {
            Ok(ask) => answer(tab, settings, ask),
            Err(why) => Err(why.to_string()),
        }
    } else {
        match text.split_once(' ') {
            Some((id, line)) => tab.tell(id, line),
            None => Err("expected the name of an engine and a line".to_owned()),
        }
    };
    done.unwrap_or_else(|why| Some(Say::Refused { why }))
}

/// What the page is told at once about what it asks of the server.
fn answer(tab: &Arc<Tab>, settings: &Settings, ask: Ask) -> Result<Option<Say>, String> {
    match ask {
        Ask::Start { id, engine, game } => return tab.start(settings, &id, engine, &game),
        Ask::End { id } => tab.end(&id),
        Ask::Enough => tab.enough(),
        Ask::Review {
            call,
            game,
            fen,
            moves,
            millis,
        } => match reviewing::game(&game, &fen, &moves) {
            Ok(game) => tab.review(call, game, millis),
            Err(why) => return Ok(Some(Say::Failed { call, why })),
        },
        Ask::Read { call, game, text } => tab.aside(call, move || {
            let games = paper::games(&text, GameKind::named(&game));
            Ok(Say::Games { call, games })
        }),
        Ask::Typed {
            call,
            game,
            fen,
            text,
        } => tab.aside(call, move || {
            paper::typed(&game, &fen, &text).map(|mv| Say::Move { call, mv })
        }),
        Ask::Write { call, game } => {
            tab.aside(call, move || {
                paper::write(&game).map(|text| Say::Text { call, text })
            });
        }
        Ask::Ending { call, game, fen } => tab.aside(call, move || {
            paper::ending(&game, &fen).map(|ending| Say::Ending { call, ending })
        }),
        Ask::Journal { call, from } => {
            let path = settings.journal.clone();
            let path = path.ok_or("there is no journal: start the board with --journal")?;
            tab.aside(call, move || {
                let mut games = paper::journal(&path)?;
                games.drain(..from.min(games.len()));
                Ok(Say::Games { call, games })
            });
        }
    }
    Ok(None)
}
