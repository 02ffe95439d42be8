//! Whether a store does what is expected of one.

mod abilities;
#[cfg(test)]
mod tests;

use super::{SessionStore, StoreError, TranscriptFile};
use serde_json::{Value, json};
use unspool::control::Payload;
use uuid::Uuid;

/// Checks that a store does what is expected of one: for the tests of whoever writes one. What it does not offer
/// ([`Unable`](crate::store::Unable)) is not looked at. If it cannot delete sessions, two are left there, with ids that nobody else has.
///
/// ```
/// use unspool_client::store::{MemoryStore, StoreError, check_store};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), StoreError> {
/// check_store(&MemoryStore::new()).await
/// # }
/// ```
pub async fn check_store(store: &dyn SessionStore) -> Result<(), StoreError> {
    let case = Case::new();
    case.fill(store).await?;
    for id in [&case.session, &case.other, &case.nobody] {
        case.check_loaded(store, id).await?;
    }
    abilities::check(store, &case).await
}

/// The project that the sessions are of.
const PROJECT: &str = "-work";

/// Two agents with the same name.
const AGENTS: [&str; 2] = ["subagents/agent-1.jsonl", "subagents/workflows/Run/agent-1.jsonl"];

/// What a store is given, and by which names.
struct Case {
    /// Written to many times.
    session: String,
    /// Written to once, before the last time of the other.
    other: String,
    /// Never written to.
    nobody: String,
    first: Value,
    second: Value,
    nameless: Value,
}

impl Case {
    fn new() -> Self {
        let [session, other, nobody, one, two] = std::array::from_fn(|_| Uuid::new_v4().to_string());
        let words = "\u{e9}\u{1f680} \"\\\n";
        Case {
            session,
            other,
            nobody,
            first: json!({ "uuid": one, "type": "user", "cwd": "/first", "message": { "content": words } }),
            second: json!({ "uuid": two, "type": "assistant", "cwd": "/second", "cost": 0.1, "list": [1, null, [true]] }),
            nameless: json!({ "type": "summary", "summary": "the same" }),
        }
    }

    async fn fill(&self, store: &dyn SessionStore) -> Result<(), StoreError> {
        let Case { session, other, first, second, nameless, .. } = self;
        let steps: [(&str, Option<&str>, &[&Value]); 8] = [
            (session, None, &[first]),
            (other, None, &[second]),
            (session, None, &[first, second, nameless]),
            (session, Some(AGENTS[0]), &[first]),
            (session, Some(AGENTS[1]), &[second]),
            (session, None, &[]),
            (session, None, &[first]),
            (session, None, &[nameless]),
        ];
        for (session, part, entries) in steps {
            append(store, session, part, entries).await?;
        }
        Ok(())
    }

    /// The transcripts that a session has then.
    fn expected(&self, session: &str) -> Vec<(TranscriptFile, Vec<&Value>)> {
        let Case { first, second, nameless, .. } = self;
        if session == self.session {
            vec![
                (file(session, None), vec![first, second, nameless, nameless]),
                (file(session, Some(AGENTS[0])), vec![first]),
                (file(session, Some(AGENTS[1])), vec![second]),
            ]
        } else if session == self.other {
            vec![(file(session, None), vec![second])]
        } else {
            Vec::new()
        }
    }

    async fn check_loaded(&self, store: &dyn SessionStore, session: &str) -> Result<(), StoreError> {
        let (loaded, expected) = (store.load(session).await?, self.expected(session));
        if loaded.len() != expected.len() {
            return Err(format!("{} transcripts of {session}, not {}", loaded.len(), expected.len()).into());
        }
        for (file, entries) in expected {
            let Some(found) = loaded.iter().find(|found| found.file == file) else {
                return Err(format!("{file:?} is not there").into());
            };
            let found: Vec<Value> = found
                .entries
                .iter()
                .map(|entry| serde_json::from_str(&entry.to_string()))
                .collect::<Result<_, _>>()?;
            if found.iter().ne(entries.iter().copied()) {
                return Err(format!("{file:?} has {found:?}, not {entries:?}").into());
            }
        }
        Ok(())
    }
}

fn file(session: &str, part: Option<&str>) -> TranscriptFile {
    TranscriptFile { project: PROJECT.to_owned(), session: session.to_owned(), part: part.map(str::to_owned) }
}

async fn append(
    store: &dyn SessionStore,
    session: &str,
    part: Option<&str>,
    entries: &[&Value],
) -> Result<(), StoreError> {
    let entries = entries.iter().map(|entry| Payload::from((*entry).clone())).collect();
    store.append(file(session, part), entries).await
}
