//! What there is to say about the figures, in sentences.

use super::count::Count;
use super::facts::{Facts, Repeated};
use super::group::{By, Groups, Key, Node};
use crate::words::{clean_line, count, grouped, money, tokens};

/// A remark: a word for programs, a sentence for people.
#[derive(Debug)]
pub(super) struct Remark {
    pub reason: String,
    pub text: String,
}

/// All that is to be said, the weightiest first.
pub(super) fn remarks(facts: &Facts, groups: &Groups) -> Vec<Remark> {
    let mut remarks = Remarks { said: Vec::new(), is_part: groups.is_part };
    if !groups.has_none_of_it() {
        remarks.of_entries(facts, groups);
    }
    if groups.undated > 0 {
        let entries = count(groups.undated, "message or report");
        let text = format!(
            "{entries} left out: nothing says when {} was",
            if groups.undated == 1 { "it" } else { "each" }
        );
        remarks.say("undated", text);
    }
    remarks.said
}

struct Remarks {
    said: Vec<Remark>,
    /// Whether the groups have only what was spent in some time.
    is_part: bool,
}

impl Remarks {
    fn say(&mut self, reason: &str, text: String) {
        self.said.push(Remark { reason: reason.to_owned(), text });
    }

    /// A remark about all that was read, of which the groups may have a part.
    fn of_all(&mut self, reason: &str, text: String) {
        let beside = if self.is_part { " (in all that was read, not in this time alone)" } else { "" };
        self.say(reason, text + beside);
    }

    fn of_entries(&mut self, facts: &Facts, groups: &Groups) {
        let sum = &groups.all.sum;
        if groups.of_messages {
            self.of_messages(facts, groups);
        } else {
            self.of_reports(facts);
        }
        self.of_blocks(&groups.all.groups, groups.now);
        if sum.computed.is_some() {
            self.say("computed", format!("~ is computed from {}, and was not reported", facts.price_list));
        }
        if facts.cache_priced {
            let text = "what is written to the cache is priced as cache_write_5m, unless its message says that it is kept for an hour";
            self.say("cache_write_5m", text.to_owned());
        }
        if facts.tier_unknown {
            let text = "a long prompt costs more, and reports do not say how long each was: their tokens are priced as if none was";
            self.say("long_prompts", text.to_owned());
        }
        for model in &facts.unpriced {
            self.say(
                "no_price",
                format!("no price is given for {}, or not for all its tokens", clean_line(model)),
            );
        }
        let Repeated { messages, reports } = facts.repeated;
        let kinds =
            [(messages, "message"), (reports, "report")].into_iter().filter(|(number, _)| *number > 0);
        let what = kinds.map(|(number, word)| count(number, word)).collect::<Vec<_>>().join(" and ");
        if !what.is_empty() {
            let be = be(messages + reports);
            self.of_all("repeated", format!("{what} stood in several files and {be} counted once"));
        }
    }

    /// What the block comes to that goes on.
    fn of_blocks(&mut self, nodes: &[Node], now: i64) {
        for node in nodes {
            self.of_blocks(&node.groups, now);
            let Some(Key::Block(Some(block))) = node.key.filter(|key| matches!(key, Key::Block(_))) else {
                continue;
            };
            let tokens_now = node.sum.tokens() as f64;
            let (Some(rate), Some(projected)) =
                (block.a_minute(tokens_now), block.projected(tokens_now, now))
            else {
                continue;
            };
            let minutes = (block.ends() - now) / 60_000;
            let mut text = format!(
                "the active block has {minutes} min left; at {} tokens a minute it comes to {}",
                tokens(rate as u64),
                tokens(projected as u64)
            );
            if let Some(usd) = node.sum.money().and_then(|usd| block.projected(usd, now)) {
                text.push_str(&format!(" and {}", money(usd)));
            }
            self.say("active_block", text);
        }
    }

    fn of_messages(&mut self, facts: &Facts, groups: &Groups) {
        let what = if groups.by.contains(&By::Tool) { "tool" } else { "agent" };
        let mut text = format!(
            "tokens are those that messages tell: Claude Code reports neither tokens nor money by {what}"
        );
        if groups.all.sum.computed.is_none() {
            text.push_str("; --prices computes money, from a list of your own or the builtin one");
        }
        self.say("of_messages", text);
        if groups.by.contains(&By::Tool) {
            let text = "tokens and cost are those of the messages that made the calls; one that called several tools is in the row \
                        of each, and once in the total; results are what came back, in bytes of text";
            self.say("tools_overlap", text.to_owned());
        }
        if facts.early > 0 {
            let text = format!(
                "{} told {} tokens when {} began: the output may be more",
                count(facts.early, "message"),
                if facts.early == 1 { "its" } else { "their" },
                if facts.early == 1 { "it" } else { "they" },
            );
            self.of_all("early", text);
        }
        let unreported = facts.reports == 0;
        self.compare(facts, unreported);
    }

    fn of_reports(&mut self, facts: &Facts) {
        if facts.unreported > 0 {
            let text = format!(
                "{} {} in no report of Claude Code: {} tokens are those that {} told{}",
                count(facts.unreported, "message"),
                be(facts.unreported),
                if facts.unreported == 1 { "its" } else { "their" },
                if facts.unreported == 1 { "it" } else { "they" },
                if facts.unreported == facts.early_unreported { ", and the output may be more" } else { "" },
            );
            self.of_all("unreported", text);
        }
        if facts.without_cost > 0 {
            let text = format!("{} without a reported cost", count(facts.without_cost, "turn"));
            self.of_all("no_cost", text);
        }
        for (reason, turns) in &facts.notes {
            let turns = count(*turns, "turn");
            let text = match reason.as_str() {
                "may_include_resumed" if facts.continued > 0 => continue,
                "may_include_resumed" => {
                    format!("{turns} may include what the session cost before it was resumed")
                }
                "includes_earlier_turns" => {
                    format!(
                        "{turns}: the cost includes that of the turns before, which was not reported by turn"
                    )
                }
                "cost_models_disagree" => {
                    format!("{turns}: the reported cost is not the sum over the models")
                }
                "total_below_highest" => {
                    format!("{turns}: the reported total is below an earlier one, nothing is added")
                }
                _ => continue,
            };
            self.of_all(reason, text);
        }
        if facts.continued > 0 {
            let text = format!(
                "{} {} on from totals of another file: only what was added counts",
                count(facts.continued, "report"),
                if facts.continued == 1 { "goes" } else { "go" },
            );
            self.of_all("continued", text);
        }
        if facts.by_no_model {
            self.of_all("not_by_model", "some money was reported for a turn, and not by model".to_owned());
        }
        self.compare(facts, false);
    }

    /// Claude Code counts requests of its own, too, which are no messages; a message may tell its tokens too early.
    fn compare(&mut self, facts: &Facts, skip: bool) {
        let Facts { covered, reported, beyond, .. } = facts;
        let figures =
            |it: &Count| format!("{} input, {} output", grouped(it.total_input()), grouped(it.output));
        if !beyond.is_zero() {
            let text = format!("Claude Code reports {} beyond what the messages add up to", figures(beyond));
            self.of_all("beyond_messages", text);
        }
        if skip || covered.is_zero() || covered == reported {
            return;
        }
        let text =
            format!("the messages add up to {}; Claude Code reports {}", figures(covered), figures(reported));
        self.of_all("messages_disagree", text);
    }
}

fn be(number: u64) -> &'static str {
    if number == 1 { "is" } else { "are" }
}
