//! A template as Hugging Face's libraries run it: Jinja with blocks trimmed, Python's methods of strings and lists, and
//! `raise_exception`.
//!
//! A template is not trusted: it reaches no file and no network, its steps are counted, and it runs on a stack of its own for
//! a few seconds at most, since it can nest as deep as it is long and double a list in one step. What is left: one that
//! prints a thing inside itself, or asks for gigabytes in one call, ends the program.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use jiff::civil::date;
use jiff::fmt::strtime;
use minijinja::syntax::SyntaxConfig;
use minijinja::value::{Kwargs, Value};
use minijinja::{Environment, Error, ErrorKind, context};

use super::{ChatError, ChatRole, ChatTemplate};

const NAME: &str = "chat_template";
/// Templates of the Hub take a few thousand for a conversation of two turns.
const MAX_STEPS: u64 = 2_000_000;
/// The longest of the Hub have a few tens of thousands.
const MAX_BYTES: usize = 64 << 10;
/// A kilobyte for each byte that may nest, four times over.
const STACK: usize = 256 << 20;
const LONGEST: Duration = Duration::from_secs(5);

/// A template, ready to be run.
#[derive(Debug, Clone)]
pub(super) struct Renderer {
    environment: Environment<'static>,
    role: ChatRole,
    /// What the template last said to `raise_exception`: Jinja's own errors are told apart from its refusals.
    refusal: Arc<Mutex<Option<String>>>,
}

impl Renderer {
    pub(super) fn new(template: &ChatTemplate, role: ChatRole) -> Result<Self, ChatError> {
        if template.source.len() > MAX_BYTES {
            let n = template.source.len();
            return Err(ChatError::Fails(format!("{n} bytes are more than a template has")));
        }
        let template = template.clone();
        guarded(move || Self::parse(&template, role))
    }

    fn parse(template: &ChatTemplate, role: ChatRole) -> Result<Self, ChatError> {
        let mut environment = Environment::new();
        let syntax = SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build();
        environment.set_syntax(syntax.map_err(|error| fails(&error))?);
        environment.set_fuel(Some(MAX_STEPS));
        environment.set_unknown_method_callback(minijinja_contrib::pycompat::unknown_method_callback);
        let refusal = Arc::new(Mutex::new(None));
        let said = Arc::clone(&refusal);
        environment.add_function("raise_exception", move |message: String| -> Result<Value, Error> {
            *said.lock().unwrap_or_else(PoisonError::into_inner) = Some(message.clone());
            Err(Error::new(ErrorKind::InvalidOperation, message))
        });
        environment.add_function("strftime_now", |format: String| {
            strtime::format(&format, date(2024, 7, 26))
                .map_err(|error| Error::new(ErrorKind::InvalidOperation, error.to_string()))
        });
        environment.add_filter("tojson", json);
        for (name, token) in &template.special_tokens {
            environment.add_global(name.clone(), token.clone());
        }
        environment
            .add_template_owned(NAME, without_marks(&template.source))
            .map_err(|error| fails(&error))?;
        Ok(Self { environment, role, refusal })
    }

    /// The whole conversation in which this text is said.
    pub(super) fn render(&self, text: &str) -> Result<String, ChatError> {
        let (renderer, text) = (self.clone(), text.to_owned());
        guarded(move || renderer.run(&text))
    }

    fn run(&self, text: &str) -> Result<String, ChatError> {
        let user = match self.role {
            ChatRole::Assistant => context! { role => "user", content => "" },
            ChatRole::User => context! { role => "user", content => text },
        };
        let messages = match self.role {
            ChatRole::Assistant => vec![user, context! { role => "assistant", content => text }],
            ChatRole::User => vec![user],
        };
        let given = context! {
            messages, add_generation_prompt => false, tools => (), documents => (),
        };
        let template = self.environment.get_template(NAME).map_err(|error| fails(&error))?;
        template.render(given).map_err(|error| {
            let refusal = self.refusal.lock().unwrap_or_else(PoisonError::into_inner).take();
            refusal.map_or_else(|| fails(&error), ChatError::Refuses)
        })
    }
}

/// Runs on a deep stack, and not for ever.
fn guarded<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, ChatError> + Send + 'static,
) -> Result<T, ChatError> {
    let (send, receive) = channel();
    let thread = std::thread::Builder::new().name("chat-template".to_owned()).stack_size(STACK);
    thread
        .spawn(move || send.send(work()))
        .map_err(|error| ChatError::Fails(format!("no thread to run it: {error}")))?;
    receive.recv_timeout(LONGEST).unwrap_or_else(|error| {
        Err(ChatError::Fails(match error {
            RecvTimeoutError::Timeout => format!("it does not end within {} seconds", LONGEST.as_secs()),
            RecvTimeoutError::Disconnected => "it breaks off".to_owned(),
        }))
    })
}

/// transformers lets a template mark what the model says, for training. The marks print nothing; blocks in their place
/// trim the same white space.
fn without_marks(source: &str) -> String {
    let mut plain = String::with_capacity(source.len());
    let mut rest = source;
    while let Some((before, tag)) = rest.split_once("{%") {
        let Some((tag, after)) = tag.split_once("%}") else { break };
        plain.push_str(before);
        let block = match tag.trim_matches(|c: char| c == '-' || c == '+' || c.is_whitespace()) {
            "generation" => tag.replace("generation", "if true"),
            "endgeneration" => tag.replace("endgeneration", "endif"),
            _ => tag.to_owned(),
        };
        plain.extend(["{%", &block, "%}"]);
        rest = after;
    }
    plain + rest
}

/// As Python writes JSON, without the escapes that HTML would need.
fn json(value: &Value, _: Kwargs) -> Result<String, Error> {
    let text = serde_json::to_string(value);
    text.map_err(|error| Error::new(ErrorKind::BadSerialization, error.to_string()))
}

fn fails(error: &Error) -> ChatError {
    let line = error.line().map(|line| format!(", line {line}")).unwrap_or_default();
    let detail = error.detail().map(|detail| format!(": {detail}")).unwrap_or_default();
    ChatError::Fails(format!("{}{detail}{line}", error.kind()))
}
