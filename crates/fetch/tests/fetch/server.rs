//! A web server of a hundred lines: files by path, ranges, redirects, and all that goes wrong on a network.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

/// What the server says on one path.
#[derive(Clone)]
pub struct Route {
    pub status: u16,
    pub body: Vec<u8>,
    pub headers: Vec<(String, String)>,
    /// Closes the connection after so many bytes of the body, once.
    pub cut_once: Option<usize>,
    /// Answers with this status, once.
    pub status_once: Option<u16>,
    /// Whether `Range` is understood.
    pub ranges: bool,
}

impl Route {
    pub fn of(body: impl Into<Vec<u8>>) -> Self {
        let body = body.into();
        Self { status: 200, body, headers: Vec::new(), cut_once: None, status_once: None, ranges: true }
    }

    pub fn error(status: u16) -> Self {
        Self { status, ..Self::of("") }
    }

    pub fn header(mut self, name: &str, value: impl Into<String>) -> Self {
        self.headers.push((name.to_owned(), value.into()));
        self
    }
}

/// One request that the server saw.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    pub path: String,
    pub range: Option<String>,
    pub token: Option<String>,
}

#[derive(Default)]
struct State {
    routes: HashMap<String, Route>,
    seen: Vec<Seen>,
}

/// A server on a free port of this machine, until the test ends.
#[derive(Clone)]
pub struct Server {
    pub address: String,
    state: Arc<Mutex<State>>,
}

impl Server {
    pub fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let state = Arc::new(Mutex::new(State::default()));
        let server = Self { address, state: Arc::clone(&state) };
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let state = Arc::clone(&state);
                std::thread::spawn(move || answer(&stream, &state));
            }
        });
        server
    }

    pub fn route(&self, path: &str, route: Route) {
        self.state.lock().unwrap().routes.insert(path.to_owned(), route);
    }

    pub fn url(&self, path: &str) -> String {
        format!("{}{path}", self.address)
    }

    /// The requests since the last call.
    pub fn seen(&self) -> Vec<Seen> {
        std::mem::take(&mut self.state.lock().unwrap().seen)
    }

    /// The paths of the requests since the last call.
    pub fn paths(&self) -> Vec<String> {
        self.seen().into_iter().map(|seen| seen.path).collect()
    }
}

fn answer(mut stream: &TcpStream, state: &Mutex<State>) -> Option<()> {
    let mut lines = BufReader::new(stream).lines().map_while(Result::ok);
    let target = lines.next()?.split(' ').nth(1)?.to_owned();
    let headers: HashMap<String, String> = lines
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.split_once(": ").map(|(name, value)| (name.to_lowercase(), value.to_owned())))
        .collect();
    let path = target.split('?').next()?.to_owned();
    let range = headers.get("range").cloned();
    let (route, cut) = {
        let mut state = state.lock().unwrap();
        let token = headers.get("authorization").map(|value| value.trim_start_matches("Bearer ").to_owned());
        state.seen.push(Seen { path: path.clone(), range: range.clone(), token });
        let mut route = state.routes.get(&path).cloned().unwrap_or_else(|| Route::error(404));
        let mut cut = None;
        if let Some(kept) = state.routes.get_mut(&path) {
            cut = kept.cut_once.take();
            if let Some(status) = kept.status_once.take() {
                route = Route::error(status);
            }
        }
        (route, cut)
    };
    let mut reply = String::new();
    let mut body = route.body.as_slice();
    let mut status = route.status;
    if let Some((from, to)) = range.as_deref().filter(|_| status == 200 && route.ranges).and_then(span) {
        let all = body.len();
        if from >= all {
            status = 416;
            write!(reply, "Content-Range: bytes */{all}\r\n").ok()?;
            body = &[];
        } else {
            let to = to.map_or(all, |to| (to + 1).min(all));
            status = 206;
            write!(reply, "Content-Range: bytes {from}-{}/{all}\r\n", to - 1).ok()?;
            body = &body[from..to];
        }
    }
    for (name, value) in &route.headers {
        write!(reply, "{name}: {value}\r\n").ok()?;
    }
    let head =
        format!("HTTP/1.1 {status} So\r\nConnection: close\r\nContent-Length: {}\r\n{reply}\r\n", body.len());
    stream.write_all(head.as_bytes()).ok()?;
    stream.write_all(&body[..cut.unwrap_or(body.len()).min(body.len())]).ok()?;
    stream.flush().ok()
}

fn span(range: &str) -> Option<(usize, Option<usize>)> {
    let (from, to) = range.strip_prefix("bytes=")?.split_once('-')?;
    Some((from.parse().ok()?, to.parse().ok()))
}
