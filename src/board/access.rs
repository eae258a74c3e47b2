//! Who is let in.

use std::io;

use hyper::HeaderMap;
use hyper::header::{HOST, HeaderName, HeaderValue, ORIGIN};

use totemic_engine::checksum::hex;

/// Names of this machine under which a browser may reach the board.
const NAMES: [&str; 3] = ["127.0.0.1", "localhost", "[::1]"];

/// Nothing is loaded from elsewhere, and no other page shows or reads this one.
const HEADERS: [(&str, &str); 7] = [
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-embedder-policy", "require-corp"),
    ("cross-origin-resource-policy", "same-origin"),
    (
        "content-security-policy",
        "default-src 'self'; img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; \
         form-action 'none'; frame-ancestors 'none'",
    ),
    ("referrer-policy", "no-referrer"),
    ("x-content-type-options", "nosniff"),
    ("cache-control", "no-store"),
];

pub(super) fn token() -> io::Result<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(io::Error::other)?;
    Ok(hex(&bytes))
}

pub(super) fn protect(headers: &mut HeaderMap) {
    for (name, value) in HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
}

/// Returns why a request is refused, if it is: it came under a foreign host name, or from
/// somebody else's page. A browser leaves out `Origin` only where a
/// page cannot read the answer; the socket checks it separately.
pub(super) fn refusal(headers: &HeaderMap, port: u16) -> Option<&'static str> {
    if !only(headers, HOST).is_some_and(|host| is_here(host, port)) {
        return Some("this board answers only at its loopback address\n");
    }
    let foreign = headers.contains_key(ORIGIN) && !has_own_origin(headers, port);
    foreign.then_some("another page may not use this board\n")
}

/// Returns the value of a header that occurs exactly once.
fn only(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next()?.to_str().ok()?;
    values.next().is_none().then_some(value)
}

/// Whether the request names a page of this board as its origin.
pub(super) fn has_own_origin(headers: &HeaderMap, port: u16) -> bool {
    (only(headers, ORIGIN).and_then(|origin| origin.strip_prefix("http://")))
        .is_some_and(|host| is_here(host, port))
}

/// Whether `host` is a name of this machine with the board's port.
fn is_here(host: &str, port: u16) -> bool {
    let (name, named_port) = match host.rsplit_once(':') {
        // The colons of `[::1]` are inside the brackets.
        Some((name, number)) if !number.ends_with(']') => (name, number.parse().ok()),
        _ => (host, Some(80)),
    };
    named_port == Some(port) && NAMES.iter().any(|own| own.eq_ignore_ascii_case(name))
}
