//! Tools that turn to the user.

use super::super::declare::{wire, writable};
use super::Replacement;

writable! {
    /// What `AskUserQuestion` is given.
    pub struct AskUserQuestionInput {
        /// The questions.
        questions: [UserQuestion],
        /// The answers, by question, if the host has asked, and not Claude Code.
        answers: {Str},
        /// What else the user said, by question.
        annotations: {Annotation},
        /// What else is known.
        metadata: Json,
    }

    /// A question to the user.
    pub struct UserQuestion {
        /// The question.
        question: Str,
        /// The question in a word.
        header: Str,
        /// What can be said to it.
        options: [UserOption],
        /// Several of them.
        multi_select "multiSelect": bool,
    }

    /// What can be said to a question.
    pub struct UserOption {
        /// The answer.
        label: Str,
        /// What it means.
        description: Str,
        /// What to show beside it.
        preview: Str,
    }

    /// What else the user said to a question.
    pub struct Annotation {
        /// What was shown beside the answer.
        preview: Str,
        /// The user's own words.
        notes: Str,
        /// Why there is no answer: `skipped`, `replied_in_chat` or `dismissed`.
        unanswered: Str,
    }

    /// What `ReportFindings` is given.
    pub struct ReportFindingsInput {
        /// How hard it was looked for.
        level: Str,
        /// What was found.
        findings: [Finding],
    }

    /// What a review has found.
    pub struct Finding {
        /// The file.
        file: Str,
        /// The line.
        line: u64,
        /// What is wrong.
        summary: Str,
        /// What is wrong, in a few words.
        short_summary: Str,
        /// What happens because of it.
        failure_scenario: Str,
        /// What kind of fault it is.
        category: Str,
        /// `CONFIRMED` or `PLAUSIBLE`.
        verdict: Str,
        /// `fixed`, `skipped` or `no_change_needed`.
        outcome: Str,
    }

    /// What `SendFeedback` is given.
    pub struct SendFeedbackInput {
        /// `bug`, `idea` or `missing_capability`.
        r#type "type": Str,
        /// What it is, in a few words.
        title: Str,
        /// What it is.
        details: Str,
        /// What it is about.
        area: Str,
        /// What went wrong with the model.
        failure_mode: Str,
        /// What it was doing.
        task_category: Str,
    }

    /// What `OfferChromeSetup` is given.
    pub struct OfferChromeSetupInput {
        /// Why it is offered.
        reason: Str,
    }

    /// What `ProposeGoal` is given.
    pub struct ProposeGoalInput {
        /// When it is reached.
        condition: Str,
        /// The user is to say yes.
        ask_user: bool,
    }

    /// What `ProposeSkills` is given.
    pub struct ProposeSkillsInput {
        /// The skills.
        proposals: [ProposedSkill],
    }

    /// A skill that is proposed.
    pub struct ProposedSkill {
        /// Its name.
        name: Str,
        /// `new` or `improvement`.
        kind: Str,
        /// The skill that is to be changed.
        target: Str,
        /// What it does.
        description: Str,
        /// Why the skill is proposed.
        evidence: [Str],
        /// What is to be changed.
        edits: [Replacement],
        /// The whole skill.
        skill_md "skillMd": Str,
    }

    /// What `PushNotification` is given.
    pub struct PushNotificationInput {
        /// What it says.
        message: Str,
        /// Why: `proactive`.
        status: Str,
    }

    /// What `ReadNotifications` is given.
    pub struct ReadNotificationsInput {}

    /// What `ShowOnboardingRolePicker` is given.
    pub struct ShowOnboardingRolePickerInput {}
}

wire! {
    /// What `AskUserQuestion` answers.
    pub struct AskUserQuestionOutput {
        /// The questions.
        questions: [UserQuestion],
        /// The answers, by question.
        answers: {Str},
        /// What the user said instead.
        response: Str,
        /// What else the user said, by question.
        annotations: {Annotation},
        /// The user was not there for so long.
        afk_timeout_ms "afkTimeoutMs": u64,
    }

    /// What `ReportFindings` answers.
    pub struct ReportFindingsOutput {
        /// How much was found.
        count: u64,
        /// How hard it was looked for.
        level: Str,
        /// What was found.
        findings: [Finding],
    }

    /// What `SendFeedback` answers.
    pub struct SendFeedbackOutput {
        /// It was sent.
        success: bool,
        /// What happened, in words.
        message: Str,
    }

    /// What `OfferChromeSetup` answers.
    pub struct OfferChromeSetupOutput {
        /// `connected`, `not_now` or `no_attempt_yet`.
        outcome: Str,
    }

    /// What `ProposeGoal` answers.
    pub struct ProposeGoalOutput {
        /// When it is reached.
        condition: Str,
        /// The user is to say yes.
        ask_user "askUser": bool,
    }

    /// What `ProposeSkills` answers.
    pub struct ProposeSkillsOutput {
        /// How many skills were proposed.
        proposal_count "proposalCount": u64,
    }

    /// What `PushNotification` answers.
    pub struct PushNotificationOutput {
        /// What happened, in words.
        message: Str,
        /// It was sent to the user's devices.
        push_sent "pushSent": bool,
        /// It was shown here.
        local_sent "localSent": bool,
        /// Why not: `config_off`, `user_present` or `no_transport`.
        disabled_reason "disabledReason": Str,
        /// When it was sent.
        sent_at "sentAt": Str,
    }

    /// What `ReadNotifications` answers.
    pub struct ReadNotificationsOutput {
        /// What was said.
        notifications: [QueuedNotification],
        /// How many more there are.
        remaining: u64,
        /// When they were read.
        read_at: Str,
    }

    /// Something that was said meanwhile.
    pub struct QueuedNotification {
        /// Which one it is.
        notification_id: Str,
        /// Who said it.
        origin: Str,
        /// When it was put there.
        queued_at: Str,
        /// What was said.
        content: Str,
        /// When it came.
        arrived_at: Str,
    }

    /// What `ShowOnboardingRolePicker` answers.
    pub struct ShowOnboardingRolePickerOutput {
        /// What the user is.
        role: Str,
        /// The user does not say.
        dismissed: bool,
    }
}
