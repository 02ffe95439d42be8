use super::*;
use crate::handlers::BoxFuture;
use crate::store::MemoryStore;
use crate::store::{Listed, StoredTranscript, Summary};
use std::time::{Duration, SystemTime};

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

    fn list(&self, project: Option<&str>) -> BoxFuture<Result<Vec<Listed>, StoreError>> {
        let how = self.how;
        let project = project.filter(|_| how != "lists other projects too").map(str::to_owned);
        let listed = self.inner.list(project.as_deref());
        Box::pin(async move {
            let mut listed = listed.await?;
            match how {
                "lists nothing" => listed.clear(),
                "lists nothing unless a project is named" if project.is_none() => listed.clear(),
                "lists twice" => listed.extend(listed.clone()),
                "has a clock that goes backwards" => {
                    for it in &mut listed {
                        let since = it.modified.duration_since(SystemTime::UNIX_EPOCH)?;
                        it.modified = SystemTime::UNIX_EPOCH + (Duration::from_secs(1 << 40) - since);
                    }
                }
                "fails to list" => return Err("no".into()),
                _ => {}
            }
            Ok(listed)
        })
    }

    fn summaries(&self, project: Option<&str>) -> BoxFuture<Result<Vec<Summary>, StoreError>> {
        let how = self.how;
        let summaries = self.inner.summaries(project);
        Box::pin(async move {
            let mut summaries = summaries.await?;
            for it in &mut summaries {
                match how {
                    "forgets titles" => it.about.custom_title = None,
                    "keeps the first title" => {
                        it.about.custom_title = it.about.custom_title.take().map(|_| "one".to_owned());
                    }
                    "takes the last folder" => it.about.cwd = Some("/second".to_owned()),
                    "listens to agents" => it.about.custom_title = Some("of an agent".to_owned()),
                    "has old summaries" => it.modified = SystemTime::UNIX_EPOCH,
                    _ => {}
                }
            }
            if how == "has no summaries" {
                summaries.clear();
            }
            Ok(summaries)
        })
    }

    fn parts(&self, session: &str) -> BoxFuture<Result<Vec<String>, StoreError>> {
        let (how, session) = (self.how, session.to_owned());
        let parts = self.inner.parts(&session);
        Box::pin(async move {
            let mut parts = parts.await?;
            match how {
                "has no parts" => parts.clear(),
                "tells parts twice" => parts.extend(parts.clone()),
                "tells parts of anybody" => parts = AGENTS.map(str::to_owned).to_vec(),
                _ => {}
            }
            Ok(parts)
        })
    }

    fn delete(&self, session: &str) -> BoxFuture<Result<(), StoreError>> {
        match self.how {
            "deletes nothing" => Box::pin(async { Ok(()) }),
            "deletes everything" => {
                let (inner, files) = (self.inner.clone(), self.inner.files());
                Box::pin(async move {
                    for file in files {
                        inner.delete(&file.session).await?;
                    }
                    Ok(())
                })
            }
            _ => self.inner.delete(session),
        }
    }
}

#[tokio::test]
async fn what_is_wrong_is_found() {
    check_store(&Wrong { inner: MemoryStore::new(), how: "does nothing wrong" }).await.unwrap();
    for how in [
        "forgets parts",
        "forgets the last",
        "turns them round",
        "knows agents by their names",
        "writes small",
        "makes some up",
        "tells twice",
        "fails",
        "lists nothing",
        "lists nothing unless a project is named",
        "lists other projects too",
        "lists twice",
        "has a clock that goes backwards",
        "fails to list",
        "has no summaries",
        "forgets titles",
        "keeps the first title",
        "takes the last folder",
        "listens to agents",
        "has old summaries",
        "has no parts",
        "tells parts twice",
        "tells parts of anybody",
        "deletes nothing",
        "deletes everything",
    ] {
        let wrong = Wrong { inner: MemoryStore::new(), how };
        assert!(check_store(&wrong).await.is_err(), "{how}");
    }
}

#[tokio::test]
async fn nothing_is_left_where_it_can_be_deleted() {
    let store = MemoryStore::new();
    check_store(&store).await.unwrap();
    assert_eq!(store.files(), []);
    // One that several share can do the same.
    check_store(&std::sync::Arc::new(store)).await.unwrap();
}

/// Only what every store can do.
struct Plain(MemoryStore);

impl SessionStore for Plain {
    fn append(&self, file: TranscriptFile, entries: Vec<Payload>) -> BoxFuture<Result<(), StoreError>> {
        self.0.append(file, entries)
    }

    fn load(&self, session: &str) -> BoxFuture<Result<Vec<StoredTranscript>, StoreError>> {
        self.0.load(session)
    }
}

#[tokio::test]
async fn what_a_store_does_not_offer_is_an_error_and_not_checked() {
    let store = Plain(MemoryStore::new());
    check_store(&store).await.unwrap();
    let errors = [
        store.list(None).await.map(drop).unwrap_err(),
        store.summaries(None).await.map(drop).unwrap_err(),
        store.parts("s").await.map(drop).unwrap_err(),
        store.delete("s").await.unwrap_err(),
    ];
    assert!(errors.iter().all(crate::store::Unable::is));
    assert_eq!(
        errors.map(|error| error.to_string()),
        [
            "the store cannot list sessions",
            "the store cannot give summaries of sessions",
            "the store cannot list the parts of a session",
            "the store cannot delete sessions",
        ]
    );
}
