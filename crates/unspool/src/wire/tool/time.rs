//! Tools that begin something later.

use super::super::declare::{wire, writable};

writable! {
    /// What `CronCreate` is given.
    pub struct CronCreateInput {
        /// When, as cron writes it.
        cron: Str,
        /// What is to be done then.
        prompt: Str,
        /// Each time, not only once.
        recurring: bool,
        /// It is done even when the session has ended.
        durable: bool,
    }

    /// What `CronDelete` is given.
    pub struct CronDeleteInput {
        /// Which one.
        id: Str,
    }

    /// What `CronList` is given.
    pub struct CronListInput {}

    /// What `ScheduleWakeup` is given.
    pub struct ScheduleWakeupInput {
        /// In how many seconds.
        delay_seconds "delaySeconds": f64,
        /// Why it is to be woken.
        reason: Str,
        /// What is to be done then.
        prompt: Str,
        /// It is done, and not to be woken again.
        stop: bool,
        /// There was nothing to do.
        noop: bool,
    }

    /// What `RemoteTrigger` is given.
    pub struct RemoteTriggerInput {
        /// What to do with it: `list`, `get`, `create`, `update`, `run` and others.
        action: Str,
        /// Which one.
        trigger_id: Str,
        /// The session that it began.
        session_id: Str,
        /// Where the list goes on.
        cursor: Str,
        /// What it is to be.
        body: Json,
    }
}

wire! {
    /// What `CronCreate` answers.
    pub struct CronCreateOutput {
        /// Which one it is.
        id: Str,
        /// When, in words.
        human_schedule "humanSchedule": Str,
        /// Each time, not only once.
        recurring: bool,
        /// It is done even when the session has ended.
        durable: bool,
        /// When it is next, in milliseconds since 1970.
        next_fire_at "nextFireAt": f64,
    }

    /// What `CronDelete` answers.
    pub struct CronDeleteOutput {
        /// Which one it was.
        id: Str,
        /// It is not woken any more.
        ended_loop_wakeup "endedLoopWakeup": bool,
    }

    /// What `CronList` answers.
    pub struct CronListOutput {
        /// All of them.
        jobs: [CronJob],
    }

    /// Something that begins by the clock.
    pub struct CronJob {
        /// Which one it is.
        id: Str,
        /// When, as cron writes it.
        cron: Str,
        /// When, in words.
        human_schedule "humanSchedule": Str,
        /// What is to be done then.
        prompt: Str,
        /// Each time, not only once.
        recurring: bool,
        /// It is done even when the session has ended.
        durable: bool,
        /// When it is next, in milliseconds since 1970.
        next_fire_at "nextFireAt": f64,
    }

    /// What `ScheduleWakeup` answers.
    pub struct ScheduleWakeupOutput {
        /// When, in milliseconds since 1970.
        scheduled_for "scheduledFor": f64,
        /// In how many seconds.
        clamped_delay_seconds "clampedDelaySeconds": f64,
        /// That is not what was wanted.
        was_clamped "wasClamped": bool,
        /// It is not woken again.
        stopped: bool,
        /// How many that were planned are not to be.
        cancelled_wakeups "cancelledWakeups": u64,
    }

    /// What `RemoteTrigger` answers.
    pub struct RemoteTriggerOutput {
        /// The status of the request.
        status: u64,
        /// What came back.
        json: Str,
        /// What came back, in words.
        summary: Str,
    }
}
