//! A board as a process, and a browser that looks at it.

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

/// Nothing takes that long unless it is broken.
pub const PATIENCE: Duration = Duration::from_secs(20);

/// One browser at a time: each is several processes.
static ONE: Mutex<()> = Mutex::new(());

/// A child that is ended with its owner.
struct Ended(Child);

impl Drop for Ended {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A board, a browser, and the page in it.
pub struct Stage {
    pub page: Client,
    pub url: String,
    board: Ended,
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

/// The first line of a child's output for which `wanted` gives something.
fn first<T: Send + 'static>(
    child: &mut Child,
    wanted: impl Fn(&str) -> Option<T> + Send + 'static,
) -> T {
    let lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    let (found, answer) = mpsc::channel();
    thread::spawn(move || {
        let first = (lines.map_while(Result::ok)).find_map(|line| wanted(&line));
        first.map(|first| found.send(first))
    });
    (answer.recv_timeout(PATIENCE)).expect("the child says in time where it listens")
}

/// What a future gives; panics if it takes too long.
async fn in_time<T>(what: &str, future: impl Future<Output = T>) -> T {
    (tokio::time::timeout(PATIENCE, future).await)
        .unwrap_or_else(|_| panic!("not within {PATIENCE:?}: {what}"))
}

/// Runs a test with a page in a browser, or says why it is skipped.
pub fn with_page<F: AsyncFnOnce(&Stage)>(args: &[&str], size: (u32, u32), test: F) {
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
    let stage = runtime.block_on(Stage::open(args, size, &browser, &driver));
    let outcome = catch_unwind(AssertUnwindSafe(|| runtime.block_on(test(&stage))));
    // The browser would outlive a driver that is merely killed.
    let closing = in_time("the browser closes", stage.page.clone().close());
    let _ = catch_unwind(AssertUnwindSafe(|| drop(runtime.block_on(closing))));
    if let Err(why) = outcome {
        resume_unwind(why);
    }
}

impl Stage {
    async fn open(args: &[&str], size: (u32, u32), browser: &Path, driver: &Path) -> Self {
        let mut board = Command::new(env!("CARGO_BIN_EXE_totemic"))
            .args(["board", "--no-open", "--port", "0"])
            .args(args)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        let url = first(&mut board, |line| Some(line.to_owned()));
        let mut driver = Command::new(driver)
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the driver starts");
        let port = first(&mut driver, |line| {
            let (_, port) = line.split_once("successfully on port ")?;
            port.trim_end_matches('.').parse::<u16>().ok()
        });
        let folder = tempfile::tempdir().expect("a folder");
        let page = connect(port, browser, folder.path(), size).await;
        let stage = Self {
            page,
            url,
            board: Ended(board),
            _driver: Ended(driver),
            _folder: folder,
        };
        stage.visit(&stage.url).await;
        stage.until("the page is there", READY).await;
        stage
    }

    /// Goes to an address.
    pub async fn visit(&self, url: &str) {
        let done = in_time(url, self.page.goto(url)).await;
        done.unwrap_or_else(|why| panic!("{url}: {why}"));
    }

    /// Loads the page anew.
    pub async fn reload(&self) {
        let done = in_time("the page again", self.page.refresh()).await;
        done.expect("the page again");
    }

    /// Opens a tab and goes to it; the window before.
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

    /// Goes to a tab that is open.
    pub async fn turn_to(&self, tab: WindowHandle) {
        let done = in_time("the tab", self.page.switch_to_window(tab)).await;
        done.expect("the tab");
    }

    /// Runs a script; what it returns.
    pub async fn run(&self, script: &str) -> Value {
        let done = in_time(script, self.page.execute(script, Vec::new())).await;
        done.unwrap_or_else(|why| panic!("{script}: {why}"))
    }

    /// Runs a script; what it gives to its last argument, a function.
    pub async fn run_async(&self, script: &str) -> Value {
        let done = in_time(script, self.page.execute_async(script, Vec::new())).await;
        done.unwrap_or_else(|why| panic!("{script}: {why}"))
    }

    /// Waits until an expression is true; panics with what the page says.
    pub async fn until(&self, what: &str, expression: &str) {
        let begin = Instant::now();
        while self.run(&format!("return Boolean({expression})")).await != true {
            let text = self.run("return document.body.innerText").await;
            assert!(begin.elapsed() < PATIENCE, "not in time: {what}; {text}");
        }
    }

    /// Presses what a selector finds, as a mouse does.
    pub async fn press(&self, selector: &str) {
        self.until(
            selector,
            &format!("document.querySelector('{selector}:not(:disabled)')"),
        )
        .await;
        // The page may draw itself anew between finding and pressing.
        for _ in 0..50 {
            let pressed = async { self.page.find(Locator::Css(selector)).await?.click().await };
            if in_time(selector, pressed).await.is_ok() {
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

    pub async fn status(&self) -> String {
        let text = self
            .run("return document.getElementById('status').textContent")
            .await;
        text.as_str().unwrap_or_default().to_owned()
    }

    /// Processes that the board started, without those that have ended.
    pub fn engines(&self) -> Vec<u32> {
        let own = self.board.0.id().to_string();
        let output = Command::new("ps")
            .args(["-A", "-o", "pid=,ppid=,stat=,args="])
            .output()
            .expect("ps runs");
        (String::from_utf8_lossy(&output.stdout).lines())
            .filter_map(|line| {
                let mut words = line.split_whitespace();
                let (pid, parent, state) = (words.next()?, words.next()?, words.next()?);
                let engine = words.any(|word| word == "ugi");
                (parent == own && engine && !state.starts_with('Z')).then(|| pid.parse().ok())?
            })
            .collect()
    }
}

/// True once the engines are known.
pub const READY: &str = "document.querySelector('#lower b.turn, #upper b.turn')";

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
