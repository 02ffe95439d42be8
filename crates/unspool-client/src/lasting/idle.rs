//! A program between two prompts. What it tells then is for its feed alone, and is read here: a session that nobody reads is
//! not told of any further once much of it waits.

use crate::Session;
use tokio::runtime::Handle;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use unspool::event::What;

/// A session whose events are read by a task of its own, until it is wanted back. Dropping it ends the session.
#[derive(Debug)]
pub(super) struct Idle {
    /// Dropped when the session is wanted back.
    rest: Option<oneshot::Sender<()>>,
    reading: JoinHandle<(Session, bool)>,
}

impl Idle {
    /// Nobody asks it anything. Where nothing can run any more, it is given back.
    pub(super) fn begin(session: Session) -> Result<Self, Box<Session>> {
        let Ok(runtime) = Handle::try_current() else { return Err(Box::new(session)) };
        let (rest, wanted) = oneshot::channel();
        Ok(Idle { rest: Some(rest), reading: runtime.spawn(read(session, wanted)) })
    }

    /// The session, and whether it has said meanwhile which session it is; nothing if it is lost. May be dropped and called
    /// again.
    pub(super) async fn end(&mut self) -> Option<(Session, bool)> {
        self.rest = None;
        (&mut self.reading).await.ok()
    }
}

impl Drop for Idle {
    fn drop(&mut self) {
        self.reading.abort();
    }
}

async fn read(mut session: Session, wanted: oneshot::Receiver<()>) -> (Session, bool) {
    let mut said = false;
    let all = async {
        while let Some(told) = session.told().await {
            said |= matches!(told.event.what, What::SessionMeta { .. });
        }
    };
    tokio::select! {
        _ = wanted => {}
        () = all => {}
    }
    (session, said)
}
