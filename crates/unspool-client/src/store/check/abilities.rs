//! What a store may offer beside keeping and loading.

use super::{AGENTS, Case, PROJECT, append};
use crate::kept::About;
use crate::store::{Listed, SessionStore, StoreError, Summary, Unable, entries_of};
use serde_json::json;
use unspool::control::Payload;

pub(super) async fn check(store: &dyn SessionStore, case: &Case) -> Result<(), StoreError> {
    check_listed(store, case).await?;
    check_summaries(store, case).await?;
    check_parts(store, case).await?;
    check_deleted(store, case).await
}

/// What is listed of the two sessions, the one that was written to last first; none if the store cannot list.
async fn listed(
    store: &dyn SessionStore,
    case: &Case,
    project: Option<&str>,
) -> Result<Option<Vec<Listed>>, StoreError> {
    let Some(mut listed) = Unable::or_none(store.list(project).await)? else { return Ok(None) };
    listed.retain(|it| [&case.session, &case.other, &case.nobody].contains(&&it.session));
    listed.sort_by_key(|it| std::cmp::Reverse(it.modified));
    Ok(Some(listed))
}

async fn check_listed(store: &dyn SessionStore, case: &Case) -> Result<(), StoreError> {
    for project in [Some(PROJECT), None] {
        let Some(listed) = listed(store, case, project).await? else { return Ok(()) };
        let mut ids: Vec<&str> = listed.iter().map(|it| &*it.session).collect();
        ids.sort_unstable();
        let mut expected = [&*case.session, &*case.other];
        expected.sort_unstable();
        ensure(ids == expected, || format!("of {project:?}, {ids:?} are listed, not {expected:?}"))?;
        ensure(listed.iter().all(|it| it.project == PROJECT), || "a project has another name".to_owned())?;
        let at = |id: &str| listed.iter().find(|it| it.session == id).map(|it| it.modified);
        ensure(at(&case.session) >= at(&case.other), || {
            "what was written to later is listed as older".to_owned()
        })?;
    }
    let elsewhere = listed(store, case, Some("-elsewhere")).await?.unwrap_or_default();
    ensure(elsewhere.is_empty(), || format!("{elsewhere:?} are of another project"))
}

async fn check_summaries(store: &dyn SessionStore, case: &Case) -> Result<(), StoreError> {
    if Unable::or_none(store.summaries(None).await)?.is_none() {
        return Ok(());
    }
    let titles = ["one", "two"].map(|title| json!({ "type": "custom-title", "customTitle": title }));
    append(store, &case.session, None, &[&titles[0]]).await?;
    append(store, &case.session, None, &[&titles[1]]).await?;
    // Neither says anything of the session.
    let of_agent = json!({ "type": "custom-title", "customTitle": "of an agent" });
    append(store, &case.session, Some(AGENTS[0]), &[&of_agent]).await?;
    append(store, &case.session, None, &[&case.first]).await?;
    for project in [Some(PROJECT), None] {
        let listed = listed(store, case, project).await?.unwrap_or_default();
        let summaries = store.summaries(project).await?;
        for id in [&case.session, &case.other] {
            let own: Vec<&Summary> = summaries.iter().filter(|it| it.session == *id).collect();
            let [own] = *own else { return Err(format!("{} summaries of {id}, not one", own.len()).into()) };
            let loaded = store.load(id).await?;
            let about = About::of(entries_of(&loaded, None).into_iter().map(Payload::json));
            ensure(own.project == PROJECT, || format!("the summary of {id} is of {}", own.project))?;
            ensure(own.about == about, || format!("the summary of {id} is {:?}, not {about:?}", own.about))?;
            let modified = listed.iter().find(|it| it.session == *id).map(|it| it.modified);
            let is_fresh = modified.is_none_or(|modified| own.modified >= modified);
            ensure(is_fresh, || format!("the summary of {id} is older than the session"))?;
        }
    }
    let elsewhere = store.summaries(Some("-elsewhere")).await?;
    let strange = elsewhere.iter().any(|it| [&case.session, &case.other].contains(&&it.session));
    ensure(!strange, || "a summary is of another project".to_owned())
}

async fn check_parts(store: &dyn SessionStore, case: &Case) -> Result<(), StoreError> {
    let expected: [(&str, &[&str]); 3] = [(&case.session, &AGENTS), (&case.other, &[]), (&case.nobody, &[])];
    for (id, expected) in expected {
        let Some(mut parts) = Unable::or_none(store.parts(id).await)? else { return Ok(()) };
        parts.sort_unstable();
        ensure(parts == expected, || format!("{id} has the parts {parts:?}, not {expected:?}"))?;
    }
    Ok(())
}

/// Deletes all that was put there.
async fn check_deleted(store: &dyn SessionStore, case: &Case) -> Result<(), StoreError> {
    let Some(()) = Unable::or_none(store.delete(&case.session).await)? else { return Ok(()) };
    check_gone(store, case, &case.session).await?;
    case.check_loaded(store, &case.other).await?;
    let still = listed(store, case, None).await?;
    let is_listed = |listed: Vec<Listed>| listed.iter().any(|it| it.session == case.other);
    ensure(still.is_none_or(is_listed), || "another session was deleted too".to_owned())?;
    // What was there once may come again.
    append(store, &case.session, None, &[&case.first]).await?;
    let again = store.load(&case.session).await?;
    ensure(entries_of(&again, None).len() == 1, || "what was deleted cannot come again".to_owned())?;
    for id in [&case.session, &case.other, &case.nobody] {
        store.delete(id).await?;
        check_gone(store, case, id).await?;
    }
    Ok(())
}

async fn check_gone(store: &dyn SessionStore, case: &Case, id: &str) -> Result<(), StoreError> {
    let there = |what: &str| format!("{id} was deleted, and its {what} is still there");
    ensure(store.load(id).await?.is_empty(), || there("transcript"))?;
    let listed = listed(store, case, None).await?.unwrap_or_default();
    ensure(listed.iter().all(|it| it.session != id), || there("name"))?;
    let summaries = Unable::or_none(store.summaries(None).await)?.unwrap_or_default();
    ensure(summaries.iter().all(|it| it.session != id), || there("summary"))?;
    let parts = Unable::or_none(store.parts(id).await)?.unwrap_or_default();
    ensure(parts.is_empty(), || there("agents' transcript"))
}

fn ensure(holds: bool, why: impl FnOnce() -> String) -> Result<(), StoreError> {
    if holds { Ok(()) } else { Err(why().into()) }
}
