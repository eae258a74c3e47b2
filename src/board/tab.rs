//! The engines of a tab, which outlive its socket for a moment.
//!
//! A reload or a lost connection closes the socket; within the grace another
//! socket may take the tab over by its name, and finds its engines running.

use std::collections::HashMap;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::mpsc::{Receiver, Sender, channel};

use super::child::{self, Handle, Listener};
use super::message::{How, Running, Say};
use super::{Settings, door, pass, reviewing};
use crate::game::{GameKind, quoted};
use crate::process::{EngineSpec, Launch, SELF};
use crate::record::reader::PlayedGame;
use crate::review::words::Advantage;

/// Messages that may wait for a slow socket.
const WAITING: usize = 512;
/// Engines of one tab.
const MAX_ENGINES: usize = 6;
/// Tabs at the same time.
const MAX_TABS: usize = 32;
/// Letters of a name that the page gives to an engine.
const MAX_ID: usize = 16;

/// All tabs by their names.
#[derive(Debug, Default)]
pub(super) struct Tabs(Mutex<HashMap<String, Arc<Tab>>>);

/// One tab.
#[derive(Debug)]
pub(super) struct Tab {
    name: String,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    engines: HashMap<String, Engine>,
    /// To the socket of today.
    out: Sender<String>,
    /// Counts the sockets: only the last one closes the tab.
    socket: u64,
    attached: bool,
    /// The game that is being judged.
    review: Option<reviewing::Running>,
    /// Counts the engines, to tell apart those that had the same name.
    started: u64,
}

#[derive(Debug)]
struct Engine {
    handle: Handle,
    number: u64,
    engine: Option<usize>,
    game: String,
    pending: u32,
}

/// A socket's place in a tab.
#[derive(Debug)]
pub(super) struct Seat {
    pub(super) tab: Arc<Tab>,
    pub(super) messages: Receiver<String>,
    socket: u64,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Tabs {
    /// Takes the tab of that name over, or opens a new one; `None` when there
    /// are too many.
    ///
    /// # Errors
    /// When the system has no randomness for a name.
    pub(super) fn take(&self, name: Option<&str>) -> io::Result<Option<Seat>> {
        let mut tabs = locked(&self.0);
        if let Some(tab) = name.and_then(|name| tabs.get(name)) {
            return Ok(Some(tab.sit()));
        }
        if tabs.len() >= MAX_TABS {
            let waiting = tabs.iter().find(|(_, tab)| !locked(&tab.state).attached);
            let Some(name) = waiting.map(|(name, _)| name.clone()) else {
                return Ok(None);
            };
            tabs.remove(&name);
        }
        let tab = Arc::new(Tab {
            name: door::token()?,
            state: Mutex::new(State {
                engines: HashMap::new(),
                out: channel(1).0,
                socket: 0,
                attached: false,
                review: None,
                started: 0,
            }),
        });
        tabs.insert(tab.name.clone(), Arc::clone(&tab));
        Ok(Some(tab.sit()))
    }

    /// A socket has closed: unless another one comes within the grace, the
    /// tab goes, and its engines with it.
    pub(super) async fn leave(&self, seat: Seat, grace: Duration) {
        let Seat {
            tab,
            messages,
            socket,
        } = seat;
        // What engines say meanwhile must not make them wait.
        drop(messages);
        {
            let mut state = locked(&tab.state);
            if state.socket != socket {
                return;
            }
            state.attached = false;
        }
        tokio::time::sleep(grace).await;
        let state = locked(&tab.state);
        if state.socket == socket {
            drop(state);
            locked(&self.0).remove(&tab.name);
        }
    }

    /// Ends all engines of all tabs.
    pub(super) async fn close_all(&self) {
        let tabs: Vec<_> = locked(&self.0).drain().collect();
        drop(tabs);
        // Their groups are killed by their own tasks, which need a turn.
        tokio::task::yield_now().await;
    }
}

impl Tab {
    /// Makes place for a socket; an older one hears no more.
    fn sit(self: &Arc<Self>) -> Seat {
        let (out, messages) = channel(WAITING);
        let mut state = locked(&self.state);
        state.out = out;
        state.socket += 1;
        state.attached = true;
        Seat {
            socket: state.socket,
            messages,
            tab: Arc::clone(self),
        }
    }

    /// The first message to a socket.
    pub(super) fn hello(&self, settings: &Settings) -> Say {
        let state = locked(&self.state);
        let running = (state.engines.iter()).map(|(id, engine)| Running {
            id: id.clone(),
            engine: engine.engine,
            game: engine.game.clone(),
            pending: engine.pending,
        });
        Say::Hello {
            version: env!("CARGO_PKG_VERSION"),
            tab: self.name.clone(),
            engines: settings.engines.iter().map(|e| e.name.clone()).collect(),
            hash: pass::MAX_HASH,
            threads: pass::max_threads(),
            journal: settings.journal.is_some(),
            running: running.collect(),
            leads: &Advantage::STEPS,
        }
    }

    /// Starts an engine under a name; one that has it is ended first.
    ///
    /// # Errors
    /// Why there is no such engine; what the system says goes to the page as
    /// the engine's end.
    pub(super) fn start(
        self: &Arc<Self>,
        settings: &Settings,
        id: &str,
        engine: Option<usize>,
        game: &str,
    ) -> Result<Option<Say>, String> {
        if id.is_empty() || id.len() > MAX_ID || !id.bytes().all(|b| b.is_ascii_lowercase()) {
            return Err(format!(
                "{}: expected 1 to {MAX_ID} letters from a to z",
                quoted(id)
            ));
        }
        let game = GameKind::named(game)
            .ok_or_else(|| format!("{}: expected yoxii or hokito", quoted(game)))?;
        let referee = EngineSpec {
            cmd: SELF.to_owned(),
            options: vec![("Hash".to_owned(), "1".to_owned())],
            ..EngineSpec::default()
        };
        let spec = match engine {
            None => &referee,
            Some(index) => (settings.engines.get(index))
                .ok_or_else(|| format!("there is no engine {index}"))?,
        };
        let launch = Launch::new(spec, game.name())?;
        let mut state = locked(&self.state);
        state.engines.remove(id);
        if state.engines.len() >= MAX_ENGINES {
            return Err(format!("a tab has at most {MAX_ENGINES} engines"));
        }
        state.started += 1;
        let ear = Ear {
            tab: Arc::downgrade(self),
            id: id.to_owned(),
            number: state.started,
        };
        match child::start(&launch, &spec.options, ear) {
            Ok(handle) => {
                let engine = Engine {
                    handle,
                    number: state.started,
                    engine,
                    game: game.name().to_owned(),
                    pending: 0,
                };
                state.engines.insert(id.to_owned(), engine);
                Ok(None)
            }
            Err(why) => Ok(Some(Say::Ended {
                id: id.to_owned(),
                why: why.to_string(),
                how: How::NoStart,
            })),
        }
    }

    /// Lets something be worked out aside, and tells the page.
    pub(super) fn aside(
        self: &Arc<Self>,
        call: u64,
        work: impl FnOnce() -> Result<Say, String> + Send + 'static,
    ) {
        let out = locked(&self.state).out.clone();
        tokio::spawn(async move {
            let done = tokio::task::spawn_blocking(work).await;
            let done = done.unwrap_or_else(|why| Err(why.to_string()));
            let say = done.unwrap_or_else(|why| Say::Failed { call, why });
            let _ = out.send(say.text()).await;
        });
    }

    /// Judges a game aside, instead of another one.
    pub(super) fn review(self: &Arc<Self>, call: u64, game: PlayedGame, millis: u64) {
        let running = reviewing::Running::default();
        let stop = running.flag();
        let out = {
            let mut state = locked(&self.state);
            state.review = Some(running);
            state.out.clone()
        };
        self.aside(call, move || {
            reviewing::run(call, &game, millis, &stop, |say| {
                let _ = out.blocking_send(say.text());
            })
        });
    }

    /// Leaves the game that is being judged.
    pub(super) fn enough(&self) {
        locked(&self.state).review = None;
    }

    /// Ends an engine; one that is gone already is no error.
    pub(super) fn end(&self, id: &str) {
        locked(&self.state).engines.remove(id);
    }

    /// Hands a line to an engine.
    ///
    /// # Errors
    /// Why the line is not for it.
    pub(super) fn tell(&self, id: &str, line: &str) -> Result<Option<Say>, String> {
        let mut state = locked(&self.state);
        let Some(engine) = state.engines.get_mut(id) else {
            // It may have ended while the line was on its way.
            return Ok(None);
        };
        pass::check(line)?;
        if line.starts_with("go") && !line.starts_with("go perft") {
            engine.pending += 1;
        }
        if engine.handle.send(line.to_owned()) {
            return Ok(None);
        }
        state.engines.remove(id);
        Ok(Some(Say::Ended {
            id: id.to_owned(),
            why: "it reads no more".to_owned(),
            how: How::Deaf,
        }))
    }
}

/// Hears one engine for its tab.
struct Ear {
    tab: Weak<Tab>,
    id: String,
    number: u64,
}

impl Ear {
    /// What is to be done with the engine's entry, and where messages go;
    /// `None` when another has taken the name.
    fn with<T>(&self, act: impl FnOnce(&mut State) -> T) -> Option<(T, Sender<String>)> {
        let tab = self.tab.upgrade()?;
        let mut state = locked(&tab.state);
        let engine = state.engines.get(&self.id)?;
        if engine.number != self.number {
            return None;
        }
        let done = act(&mut state);
        Some((done, state.out.clone()))
    }
}

impl Listener for Ear {
    /// Thoughts are dropped where the socket is slow, since newer ones come;
    /// answers wait.
    async fn line(&self, line: &str) {
        let answered = line.starts_with("bestmove");
        let noted = self.with(|state| {
            if answered && let Some(engine) = state.engines.get_mut(&self.id) {
                engine.pending = engine.pending.saturating_sub(1);
            }
        });
        let Some(((), out)) = noted else { return };
        let message = format!("{} {line}", self.id);
        if let Err(TrySendError::Full(message)) = out.try_send(message)
            && !line.starts_with("info")
        {
            let _ = out.send(message).await;
        }
    }

    async fn ended(&self, how: How, why: String) {
        let Some((_, out)) = self.with(|state| state.engines.remove(&self.id)) else {
            return;
        };
        let id = self.id.clone();
        let _ = out.send(Say::Ended { id, why, how }.text()).await;
    }
}
