//! A board as a process, and a browser that looks at it.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, PoisonError, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use fantoccini::error::CmdError;
use fantoccini::wd::WindowHandle;
use fantoccini::{Client, ClientBuilder, Locator};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};

use crate::program::totemic;

/// Nothing takes this long unless it is broken.
pub const PATIENCE: Duration = Duration::from_secs(20);

/// Only one browser at a time: each is several processes.
static ONE: Mutex<()> = Mutex::new(());

/// A child process that ends with its owner.
struct Ended(Child);

impl Drop for Ended {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Kills a process.
pub fn kill(id: u32) {
    let killed = Command::new("kill").args(["-9", &id.to_string()]).status();
    assert!(killed.expect("kill runs").success());
}

/// `totemic board` as a process.
pub struct Board {
    child: Ended,
    pub url: String,
}

impl Board {
    /// Starts a board with the words of a line, which are split as in a shell.
    pub fn start(line: &str) -> Self {
        Self::start_with(totemic(), &format!("--no-open {line}"))
    }

    /// Starts a board by a command that runs the program.
    pub fn start_with(mut command: Command, line: &str) -> Self {
        let words = shell_words::split(line).expect("words");
        command.arg("board");
        if !words.iter().any(|word| word == "--port") {
            command.args(["--port", "0"]);
        }
        command.args(words);
        command.stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().expect("the program starts");
        let url = first(&mut child, |line| Some(line.to_owned())).expect("an address");
        let child = Ended(child);
        Self { child, url }
    }

    /// Serves the board that `.ci/site` has made in a folder, which needs no server,
    /// under a path of its own.
    fn serve(site: &Path) -> Self {
        let (host, name) = (site.parent(), site.file_name());
        let mut server = Command::new("python3");
        server.args(["-u", "-m", "http.server", "0", "--bind", "127.0.0.1"]);
        server
            .arg("--directory")
            .arg(host.expect("a folder around it"));
        server.stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = server.spawn().expect("python3 runs");
        let url = first(&mut child, |line| {
            let (_, rest) = line.split_once('(')?;
            rest.split_once(')').map(|(url, _)| url.to_owned())
        });
        let url = url.expect("an address") + name.expect("a name").to_str().expect("text") + "/";
        let child = Ended(child);
        Self { child, url }
    }

    pub fn process(&mut self) -> &mut Child {
        &mut self.child.0
    }

    pub fn id(&self) -> u32 {
        self.child.0.id()
    }

    /// Returns the processes that this board started and that still run, if their command
    /// line is as `wanted`; the guard is one of them.
    pub fn children(&self, wanted: impl Fn(&str) -> bool) -> BTreeSet<u32> {
        let own = self.id().to_string();
        let mut list = Command::new("ps");
        let list = list.args(["-A", "-o", "pid=,ppid=,stat=,args="]).output();
        let child = |line: &str| {
            let (pid, rest) = line.trim_start().split_once(' ')?;
            let (parent, rest) = rest.trim_start().split_once(' ')?;
            let is_own = parent == own && !rest.starts_with('Z') && wanted(rest);
            is_own.then(|| pid.parse().ok())?
        };
        let list = String::from_utf8_lossy(&list.expect("ps runs").stdout).into_owned();
        list.lines().filter_map(child).collect()
    }
}

/// A board, a browser, and the page in it.
pub struct Stage {
    pub page: Client,
    pub url: String,
    pub board: Board,
    _driver: Ended,
    _folder: tempfile::TempDir,
}

fn program(names: &[&str]) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    names.iter().find_map(|name| {
        let found = folders.iter().map(|folder| folder.join(name));
        found.into_iter().find(|file| file.is_file())
    })
}

/// Returns the first result that `wanted` gives for a line of a child's output; `None` if
/// the output ends before that.
fn first<T: Send + 'static>(
    child: &mut Child,
    wanted: impl Fn(&str) -> Option<T> + Send + 'static,
) -> Option<T> {
    let lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    let (found, answer) = mpsc::channel();
    thread::spawn(move || {
        let first = (lines.map_while(Result::ok)).find_map(|line| wanted(&line));
        found.send(first)
    });
    (answer.recv_timeout(PATIENCE)).expect("the child says in time where it listens")
}

/// Awaits a future; panics if it takes too long.
async fn in_time<T>(what: &str, future: impl Future<Output = T>) -> T {
    (tokio::time::timeout(PATIENCE, future).await)
        .unwrap_or_else(|_| panic!("not within {PATIENCE:?}: {what}"))
}

/// Runs a test with the page of a board in a browser, or says why it is skipped.
pub fn with_page<F: AsyncFnOnce(&Stage)>(args: &str, size: (u32, u32), test: F) {
    with_board(|| Board::start(args), size, test);
}

/// Does the same with the page that needs no server: `TOTEMIC_SITE` names the folder that
/// `.ci/site` has made.
pub fn with_site<F: AsyncFnOnce(&Stage)>(size: (u32, u32), test: F) {
    match std::env::var_os("TOTEMIC_SITE") {
        Some(site) => with_board(|| Board::serve(Path::new(&site)), size, test),
        None => println!("skipped for static files: TOTEMIC_SITE names no folder"),
    }
}

/// Runs a test with both pages.
pub fn with_both<F: AsyncFn(&Stage)>(size: (u32, u32), test: F) {
    with_page("", size, &test);
    with_site(size, &test);
}

fn with_board<F: AsyncFnOnce(&Stage)>(board: impl FnOnce() -> Board, size: (u32, u32), test: F) {
    let browser = program(&["chromium", "chromium-browser", "google-chrome"]);
    let (Some(browser), Some(driver)) = (browser, program(&["chromedriver"])) else {
        println!("skipped: chromium and chromedriver are not on this machine");
        return;
    };
    let _alone = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    let stage = runtime.block_on(Stage::open(board(), size, &browser, &driver));
    let outcome = catch_unwind(AssertUnwindSafe(|| runtime.block_on(test(&stage))));
    // The browser would outlive a driver that is just killed.
    let closing = in_time("the browser closes", stage.page.clone().close());
    let _ = catch_unwind(AssertUnwindSafe(|| drop(runtime.block_on(closing))));
    if let Err(why) = outcome {
        resume_unwind(why);
    }
}

impl Stage {
    async fn open(board: Board, size: (u32, u32), browser: &Path, driver: &Path) -> Self {
        let (driver, port) = start_driver(driver);
        let folder = tempfile::tempdir().expect("a folder");
        let page = connect(port, browser, folder.path(), size).await;
        let stage = Self {
            page,
            url: board.url.clone(),
            board,
            _driver: driver,
            _folder: folder,
        };
        stage.visit(&stage.url).await;
        stage
    }

    /// Goes to an address, and waits until the page knows its engines.
    pub async fn visit(&self, url: &str) {
        let done = in_time(url, self.page.goto(url)).await;
        done.unwrap_or_else(|why| panic!("{url}: {why}"));
        self.until(READY).await;
    }

    pub async fn reload(&self) {
        let done = in_time("the page again", self.page.refresh()).await;
        done.expect("the page again");
        self.until(READY).await;
    }

    /// Loads the page again with these settings, for example `known: true`.
    pub async fn with_settings(&self, settings: &str) {
        let store = format!("JSON.stringify({{{settings}}})");
        let script = format!("localStorage.setItem('totemic-settings', {store})");
        self.run(&script).await;
        self.reload().await;
    }

    /// Opens a tab and goes to it; returns the previous window.
    pub async fn open_tab(&self) -> WindowHandle {
        in_time("another tab", async {
            let before = self.page.window().await?;
            let tab = self.page.new_window(true).await?;
            self.page.switch_to_window(tab.handle).await?;
            Ok::<_, CmdError>(before)
        })
        .await
        .expect("another tab")
    }

    /// Goes to a tab that is already open.
    pub async fn turn_to(&self, tab: WindowHandle) {
        let done = in_time("the tab", self.page.switch_to_window(tab)).await;
        done.expect("the tab");
    }

    /// Runs a script in which `$` and `$$` find elements; returns its result.
    pub async fn run(&self, script: &str) -> Value {
        let whole = format!("{FIND} {script}");
        let done = in_time(script, self.page.execute(&whole, Vec::new())).await;
        done.unwrap_or_else(|why| panic!("{script}: {why}"))
    }

    pub async fn text(&self, script: &str) -> String {
        let value = self.run(script).await;
        value.as_str().expect(script).to_owned()
    }

    /// Runs a script; returns what it passes to its last argument, a function.
    pub async fn run_async(&self, script: &str) -> Value {
        let done = in_time(script, self.page.execute_async(script, Vec::new())).await;
        done.unwrap_or_else(|why| panic!("{script}: {why}"))
    }

    /// Waits until an expression is true; panics with the text of the page.
    pub async fn until(&self, expression: &str) {
        let begin = Instant::now();
        while self.run(&format!("return Boolean({expression})")).await != true {
            let text = self.run("return document.body.innerText").await;
            assert!(begin.elapsed() < PATIENCE, "never {expression}; {text}");
        }
    }

    /// Waits until what a selector finds contains this text.
    pub async fn shows(&self, selector: &str, part: &str) {
        let shown = format!("$('{selector}')?.textContent.includes(`{part}`)");
        self.until(&shown).await;
    }

    /// Waits until the status contains this part.
    pub async fn says(&self, part: &str) {
        self.shows("#status", part).await;
    }

    /// Gives a field another value, as a user does who leaves it then.
    pub async fn choose(&self, field: &str, value: &str) {
        let chosen = format!(
            "$('{field}').value = `{value}`; $('{field}').dispatchEvent(new Event('change'))"
        );
        self.run(&chosen).await;
    }

    /// Clicks what a selector finds, as a mouse does.
    pub async fn press(&self, selector: &str) {
        self.until(&format!("$('{selector}:not(:disabled)')")).await;
        // Between finding and clicking, the page may draw itself again, or a notice may
        // move it: what counts is that the click has arrived.
        let listen = format!(
            "document.addEventListener('click', ({{ target }}) => {{
                 window.arrived = Boolean(target.closest(`{selector}`));
             }}, {{ capture: true, once: true }});
             window.arrived = false;"
        );
        for _ in 0..50 {
            self.run(&listen).await;
            let pressed = async { self.page.find(Locator::Css(selector)).await?.click().await };
            if in_time(selector, pressed).await.is_ok()
                && self.run("return window.arrived !== false").await == true
            {
                return;
            }
        }
        panic!("{selector} cannot be pressed");
    }

    /// Types into the focused element.
    pub async fn keys(&self, keys: &str) {
        let typed = async { self.page.active_element().await?.send_keys(keys).await };
        in_time("keys", typed).await.expect("keys");
    }
}

/// Starts the driver of the browser; returns its port, too. It ends at once if the port
/// that the system gave it is taken for the other version of the internet protocol.
fn start_driver(driver: &Path) -> (Ended, u16) {
    for _ in 0..2 {
        let mut command = Command::new(driver);
        let command = command.arg("--port=0").stdout(Stdio::piped());
        let child = command.stderr(Stdio::null()).spawn();
        let mut child = Ended(child.expect("the driver starts"));
        let port = first(&mut child.0, |line| {
            let (_, port) = line.split_once("successfully on port ")?;
            port.trim_end_matches('.').parse().ok()
        });
        if let Some(port) = port {
            return (child, port);
        }
    }
    panic!("the driver says in time where it listens");
}

const FIND: &str = "const $ = (css) => document.querySelector(css), \
                    $$ = (css) => document.querySelectorAll(css);";
/// True once the position is known. Nobody need be to move in it.
const READY: &str = "/\\d/.test($('#lower .points')?.textContent)";

async fn connect(port: u16, browser: &Path, folder: &Path, size: (u32, u32)) -> Client {
    let arguments = [
        "--headless".to_owned(),
        "--no-sandbox".to_owned(),
        "--disable-gpu".to_owned(),
        "--hide-scrollbars".to_owned(),
        "--disable-background-networking".to_owned(),
        "--disable-component-update".to_owned(),
        "--disable-sync".to_owned(),
        "--no-first-run".to_owned(),
        "--lang=en".to_owned(),
        format!("--window-size={},{}", size.0, size.1),
        format!("--user-data-dir={}", folder.display()),
    ];
    let capabilities = json!({ "goog:chromeOptions": { "args": arguments, "binary": browser } });
    let capabilities = capabilities.as_object().expect("an object").clone();
    let begin = Instant::now();
    loop {
        let mut builder = ClientBuilder::new(HttpConnector::new());
        builder.capabilities(capabilities.clone());
        let address = format!("http://127.0.0.1:{port}");
        match in_time("a session", builder.connect(&address)).await {
            Ok(client) => return client,
            Err(why) => assert!(begin.elapsed() < PATIENCE, "no session: {why}"),
        }
    }
}
