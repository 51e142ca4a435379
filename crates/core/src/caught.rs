//! A panic inside somebody else's code, as a value.
//!
//! Crates that read formats for us check most of what they read, but a damaged file can still trip an assertion inside
//! them, at a place that no check of ours can foresee without repeating the crate. Where they are called, the panic is
//! caught and becomes an error that names the file. It is not for our own code: a panic there is a bug that must show.

use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

thread_local! {
    /// Whether this thread is inside [`caught`], where a panic is no news for the terminal.
    static CATCHING: Cell<bool> = const { Cell::new(false) };
}

/// What `run` gives, or the words of its panic. The caller uses nothing that `run` may have left half done.
pub fn caught<T>(run: impl FnOnce() -> T) -> Result<T, String> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            if !CATCHING.get() {
                usual(panic);
            }
        }));
    });
    let outside = CATCHING.replace(true);
    let result = panic::catch_unwind(AssertUnwindSafe(run));
    CATCHING.set(outside);
    result.map_err(|panic| {
        let words = panic.downcast_ref::<String>().cloned();
        let words = words.or_else(|| panic.downcast_ref::<&str>().map(|&words| words.to_owned()));
        words.unwrap_or_else(|| "it does not say why".to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_its_words_and_the_next_one_is_news_again() {
        assert_eq!(caught(|| 1), Ok(1));
        let inner = || caught(|| [0][usize::from(CATCHING.get())]).unwrap_err();
        assert_eq!(caught(inner).unwrap(), "index out of bounds: the len is 1 but the index is 1");
        assert_eq!(caught(|| assert!(!CATCHING.get(), "inside")), Err("inside".to_owned()));
        assert!(!CATCHING.get());
    }
}
