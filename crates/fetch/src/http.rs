//! One HTTP request: a client with time limits, and errors in plain words.
//!
//! `hf-hub`'s own clients wait for ever: behind a firewall that drops packets a program would hang for minutes before
//! the next source is tried. Every request of this crate has limits instead ([`Patience`]).

use std::time::Duration;

use ureq::config::RedirectAuthHeaders;
use ureq::http::{HeaderMap, Response};
use ureq::{Agent, Body};

use crate::FetchError;

/// How long to wait, and how often to try again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Patience {
    /// For a name to be resolved, and for a connection.
    pub connect: Duration,
    /// For an answer to begin, and for the next bytes of it.
    pub answer: Duration,
    /// How often a broken transfer is taken up again without having got any further.
    pub retries: u32,
    /// The wait before the first of these tries; it doubles with each.
    pub pause: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(15),
            answer: Duration::from_mins(1),
            retries: 4,
            pause: Duration::from_secs(1),
        }
    }
}

/// A client for downloads.
#[derive(Debug, Clone)]
pub struct Http {
    agent: Agent,
    patience: Patience,
}

impl Http {
    /// A client that waits so long and no longer. A proxy is taken from the usual variables.
    pub fn new(patience: Patience) -> Self {
        let agent = Agent::config_builder()
            .timeout_resolve(Some(patience.connect))
            .timeout_connect(Some(patience.connect))
            .timeout_recv_response(Some(patience.answer))
            .timeout_per_read(Some(patience.answer))
            .http_status_as_error(false)
            // A redirect to a storage host must not carry the token there.
            .redirect_auth_headers(RedirectAuthHeaders::SameHost)
            // A compressed answer has another length and no ranges.
            .accept_encoding("identity")
            .user_agent(concat!("stereometer/", env!("CARGO_PKG_VERSION")))
            .build()
            .into();
        Self { agent, patience }
    }

    pub(crate) fn patience(&self) -> &Patience {
        &self.patience
    }

    /// Asks for the bytes from `from` to the end. Answers other than 200, 206 and 416 are errors.
    pub(crate) fn get(
        &self,
        url: &str,
        token: Option<&str>,
        from: u64,
    ) -> Result<Response<Body>, FetchError> {
        let mut request = self.agent.get(url);
        if let Some(token) = token {
            request = request.header("Authorization", format!("Bearer {token}"));
        }
        if from > 0 {
            request = request.header("Range", format!("bytes={from}-"));
        }
        let response = request.call().map_err(|error| network(url, &error))?;
        match response.status().as_u16() {
            200 | 206 => Ok(response),
            416 if from > 0 => Ok(response),
            _ => Err(refused(url, &response)),
        }
    }
}

/// A header as text.
pub(crate) fn header<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}

/// An answer that is an error.
pub(crate) fn refused(url: &str, response: &Response<Body>) -> FetchError {
    let text = |name| header(response.headers(), name).map(str::to_owned);
    FetchError::Refused {
        url: url.to_owned(),
        status: response.status().as_u16(),
        message: text("x-error-message"),
        code: text("x-error-code"),
    }
}

/// What a name server that says no, or that is not there, looks like.
const NO_SUCH_HOST: &str = "no name server knows it, or there is no network";

/// No answer at all.
pub(crate) fn network(url: &str, error: &ureq::Error) -> FetchError {
    let reason = match error {
        ureq::Error::BadUri(reason) => {
            return FetchError::BadAddress { url: url.to_owned(), reason: reason.clone() };
        }
        ureq::Error::Http(reason) => {
            return FetchError::BadAddress { url: url.to_owned(), reason: reason.to_string() };
        }
        ureq::Error::HostNotFound => NO_SUCH_HOST.to_owned(),
        ureq::Error::Io(error) if error.to_string().contains("lookup address") => NO_SUCH_HOST.to_owned(),
        ureq::Error::Timeout(_) => "it did not answer in time".to_owned(),
        ureq::Error::Io(error) => reason_of(error),
        other => other.to_string(),
    };
    FetchError::Unreachable { host: host(url), reason }
}

/// An error of the system without its number in brackets.
pub(crate) fn reason_of(error: &std::io::Error) -> String {
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or(&text);
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}

/// The host of an address, for messages.
fn host(url: &str) -> String {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.split('/').next().unwrap_or(rest).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_name_the_host_and_nothing_else_of_the_address() {
        assert_eq!(host("https://huggingface.co/api/models"), "huggingface.co");
        assert_eq!(host("http://127.0.0.1:80/x"), "127.0.0.1:80");
    }

    #[test]
    fn system_errors_read_like_words() {
        let refused = std::io::Error::from_raw_os_error(111);
        assert!(!reason_of(&refused).contains("os error"));
    }
}
