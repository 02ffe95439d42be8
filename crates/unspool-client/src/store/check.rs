//! Whether a store does what is expected of one.

use super::{SessionStore, StoreError, TranscriptFile};
use serde_json::{Value, json};
use unspool::control::Payload;
use uuid::Uuid;

/// Checks that a store does what is expected of one: for the tests of whoever writes one. It leaves two sessions there, with
/// ids that nobody else has.
///
/// ```
/// use unspool_client::{MemoryStore, StoreError, check_store};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), StoreError> {
/// check_store(&MemoryStore::new()).await
/// # }
/// ```
pub async fn check_store(store: &dyn SessionStore) -> Result<(), StoreError> {
    let [session, other, nobody, one, two] = std::array::from_fn(|_| Uuid::new_v4().to_string());
    let file = |session: &str, part: Option<&str>| TranscriptFile {
        project: "-work".to_owned(),
        session: session.to_owned(),
        part: part.map(str::to_owned),
    };
    let (agent, namesake) = ("subagents/agent-1.jsonl", "subagents/workflows/Run/agent-1.jsonl");
    let first = json!({ "uuid": one, "type": "user", "message": { "content": "\u{e9}\u{1f680} \"\\\n" } });
    let second = json!({ "uuid": two, "type": "assistant", "cost": 0.1, "list": [1, null, [true]] });
    let nameless = json!({ "type": "summary", "summary": "the same" });
    let steps: [(&str, Option<&str>, &[&Value]); 8] = [
        (&session, None, &[&first]),
        (&other, None, &[&second]),
        (&session, None, &[&first, &second, &nameless]),
        (&session, Some(agent), &[&first]),
        (&session, Some(namesake), &[&second]),
        (&session, None, &[]),
        (&session, None, &[&first]),
        (&session, None, &[&nameless]),
    ];
    for (session, part, entries) in steps {
        let entries = entries.iter().map(|entry| Payload::from((*entry).clone())).collect();
        store.append(file(session, part), entries).await?;
    }

    let expected = [
        (&*session, None, vec![&first, &second, &nameless, &nameless]),
        (&*session, Some(agent), vec![&first]),
        (&*session, Some(namesake), vec![&second]),
        (&*other, None, vec![&second]),
    ];
    for id in [&*session, &*other, &*nobody] {
        let loaded = store.load(id).await?;
        let expected = expected.iter().filter(|(session, ..)| *session == id);
        let expected: Vec<_> =
            expected.map(|(session, part, entries)| (file(session, *part), entries.clone())).collect();
        if loaded.len() != expected.len() {
            return Err(format!("{} transcripts of {id}, not {}", loaded.len(), expected.len()).into());
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
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::StoredTranscript;
    use crate::{BoxFuture, MemoryStore};

    /// A store that does one thing wrong.
    struct Wrong {
        inner: MemoryStore,
        how: &'static str,
    }

    impl SessionStore for Wrong {
        fn append(
            &self,
            mut file: TranscriptFile,
            mut entries: Vec<Payload>,
        ) -> BoxFuture<Result<(), StoreError>> {
            match self.how {
                "forgets parts" => file.part = None,
                "forgets the last" => drop(entries.pop()),
                "turns them round" => entries.reverse(),
                "knows agents by their names" => {
                    file.part = file.part.map(|part| part.replace("workflows/Run/", ""));
                }
                "writes small" => file.part = file.part.map(|part| part.to_lowercase()),
                _ => {}
            }
            self.inner.append(file, entries)
        }

        fn load(&self, session: &str) -> BoxFuture<Result<Vec<StoredTranscript>, StoreError>> {
            let (inner, how, session) = (self.inner.clone(), self.how, session.to_owned());
            Box::pin(async move {
                let mut loaded = inner.load(&session).await?;
                match how {
                    "makes some up" if loaded.is_empty() => {
                        let file = TranscriptFile { project: String::new(), session, part: None };
                        loaded.push(StoredTranscript { file, entries: Vec::new() });
                    }
                    "tells twice" => {
                        for file in &mut loaded {
                            file.entries.extend(file.entries.clone());
                        }
                    }
                    "fails" => return Err("no".into()),
                    _ => {}
                }
                Ok(loaded)
            })
        }
    }

    #[tokio::test]
    async fn what_is_wrong_is_found() {
        check_store(&MemoryStore::new()).await.unwrap();
        for how in [
            "forgets parts",
            "forgets the last",
            "turns them round",
            "knows agents by their names",
            "writes small",
            "makes some up",
            "tells twice",
            "fails",
        ] {
            let wrong = Wrong { inner: MemoryStore::new(), how };
            assert!(check_store(&wrong).await.is_err(), "{how}");
        }
    }
}
