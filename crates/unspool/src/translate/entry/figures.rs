//! What entries say about costs, and nothing else, for whoever adds up many files.
//!
//! Most entries say nothing about it, and are passed over without being read. What is read is checked like any line.

use super::milliseconds;
use crate::event::Tokens;
use crate::json::{Chart, Index, Json, Str};
use crate::tally::Models;
use crate::translate::read::fields;
use crate::translate::read::line::Counts;
use crate::translate::read::models::Bills;
use crate::wire::{
    EntryKind, Iteration, IterationKind, Kind, List, Mention, Message, ServerToolUsage, Speed, Usage, Wire,
};
use memchr::{memchr, memmem, memrchr};

/// Reads what entries say about costs.
#[derive(Debug, Default)]
pub struct Figures {
    index: Index,
}

/// What an entry says about costs.
#[derive(Debug)]
#[non_exhaustive]
pub enum Figure<'l> {
    /// Tokens of a message. Its other entries say the same, or less: the highest count.
    Message(Expense<'l>),
    /// What the session has cost so far.
    Totals(Totals<'l>),
}

/// What a session has cost so far.
#[derive(Debug)]
#[non_exhaustive]
pub struct Totals<'l> {
    /// The money.
    pub cost_usd: f64,
    /// Tokens and money by model.
    pub models: Models,
    /// The session that the entry names.
    pub session: Option<Str<'l>>,
}

/// What an entry says about its message.
#[derive(Debug)]
#[non_exhaustive]
pub struct Expense<'l> {
    /// The message's id.
    pub message: Option<Str<'l>>,
    /// The model.
    pub model: Option<Str<'l>>,
    /// The tokens.
    pub tokens: Tokens,
    /// How many of those that were written to the cache are kept for an hour, if any.
    pub cache_creation_1h: Option<u64>,
    /// Whether these are the last numbers.
    pub is_final: bool,
    /// The money, where the entry tells it.
    pub cost_usd: Option<f64>,
    /// When, in milliseconds since 1970.
    pub time: Option<i64>,
    /// The session that the entry names.
    pub session: Option<Str<'l>>,
    /// It is a copy of another session's.
    pub copied: bool,
    /// A sub-agent said it, and not the main agent.
    pub of_agent: bool,
    /// How often the API searched the web for it.
    pub web_searches: u64,
    /// It was answered in fast mode, which has prices of its own.
    pub is_fast: bool,
    /// What advisors spent on it, beside its own tokens.
    pub advice: Vec<Advice<'l>>,
}

/// What an advisor spent: a model that another one asked while it spoke.
#[derive(Debug)]
#[non_exhaustive]
pub struct Advice<'l> {
    /// The model.
    pub model: Option<Str<'l>>,
    /// The tokens.
    pub tokens: Tokens,
    /// How many of those that were written to the cache are kept for an hour, if any.
    pub cache_creation_1h: Option<u64>,
}

static USAGE: Mention = Mention::of(Message::NAMES.usage);
static TOTALS: Mention = Mention::of(EntryKind::CostState.name());

impl Figures {
    /// Takes whole lines of one file; hands on what they say, in order.
    pub fn read(&mut self, lines: &[u8], mut sink: impl FnMut(Figure<'_>)) {
        let (usage, totals) = (memmem::Finder::new(USAGE.as_bytes()), memmem::Finder::new(TOTALS.as_bytes()));
        let mut next_totals = totals.find(lines);
        let mut from = 0;
        while from < lines.len() {
            if next_totals.is_some_and(|at| at < from) {
                next_totals = totals.find(&lines[from..]).map(|at| from + at);
            }
            let next_usage = usage.find(&lines[from..next_totals.unwrap_or(lines.len())]).map(|at| from + at);
            let Some(at) = next_usage.or(next_totals) else { return };
            let begin = memrchr(b'\n', &lines[from..at]).map_or(from, |end| from + end + 1);
            let end = memchr(b'\n', &lines[at..]).map_or(lines.len(), |end| at + end);
            self.line(&lines[begin..end], &mut sink);
            from = end + 1;
        }
    }

    fn line(&mut self, line: &[u8], sink: &mut impl FnMut(Figure<'_>)) {
        let line = line.trim_ascii();
        if let Some(chart) = self.index.chart(line) {
            return tell(&chart, sink);
        }
        let text = String::from_utf8_lossy(line);
        if let Ok(chart) = Chart::searched(&text) {
            tell(&chart, sink);
        }
    }
}

const ASSISTANT: &str = Kind::Assistant.name();
const COST_STATE: &str = EntryKind::CostState.name();

fn tell(chart: &Chart<'_>, sink: &mut impl FnMut(Figure<'_>)) {
    let entry = fields::Entry::of(chart, chart.root());
    let kind = chart.str(entry.kind()).map(Str::decode).unwrap_or_default();
    match &*kind {
        ASSISTANT => {
            let message = fields::Message::of(chart, entry.message());
            let Some(counts) = Counts::of(chart, message.usage()) else { return };
            let some = |text: Option<Str<'_>>| text.is_some_and(|text| !text.is_empty());
            let filled = |place| chart.str(place).filter(|text| some(Some(*text)));
            let usage = chart.value(message.usage());
            sink(Figure::Message(Expense {
                message: filled(message.id()),
                model: filled(message.model()),
                tokens: counts.tokens(),
                cache_creation_1h: counts.for_an_hour(),
                is_final: some(chart.str(message.stop_reason())),
                cost_usd: chart.f64(entry.cost_usd()),
                time: chart.str(entry.timestamp()).and_then(|time| milliseconds(&time.decode())),
                session: chart.str(entry.session()),
                copied: chart.first(entry.forked_from()) == b'{',
                of_agent: chart.bool(entry.is_sidechain()) == Some(true),
                web_searches: usage.map_or(0, web_searches),
                is_fast: usage.is_some_and(is_fast),
                advice: usage.map(advice).unwrap_or_default(),
            }));
        }
        COST_STATE => {
            let models = Bills::of(chart, entry.model_usage()).map(|bills| bills.models());
            if let Some(total) = chart.f64(entry.total_cost_usd()) {
                let session = chart.str(entry.session());
                sink(Figure::Totals(Totals { cost_usd: total, models: models.unwrap_or_default(), session }));
            }
        }
        _ => {}
    }
}

/// Most messages have none, and say so.
fn web_searches(usage: Json<'_>) -> u64 {
    static SEARCHES: Mention = Mention::of(ServerToolUsage::NAMES.web_search_requests);
    let text = usage.text().as_bytes();
    let says = |at: usize| !text[at + SEARCHES.as_bytes().len()..].starts_with(b":0");
    if !memmem::find(text, SEARCHES.as_bytes()).is_some_and(says) {
        return 0;
    }
    let tools = Usage::of(usage).and_then(|usage| usage.server_tool_use);
    tools.and_then(|tools| tools.read().web_search_requests).unwrap_or(0)
}

fn is_fast(usage: Json<'_>) -> bool {
    memmem::find(usage.text().as_bytes(), Speed::Fast.as_str().as_bytes()).is_some()
        && Usage::of(usage).is_some_and(|usage| usage.speed == Some(Speed::Fast))
}

/// What advisors spent, which the tokens of the message do not include.
pub(super) fn advice(usage: Json<'_>) -> Vec<Advice<'_>> {
    let advisor = IterationKind::AdvisorMessage;
    if memmem::find(usage.text().as_bytes(), advisor.as_str().as_bytes()).is_none() {
        return Vec::new();
    }
    let runs = Usage::of(usage).and_then(|usage| usage.iterations);
    let advice = runs.iter().flat_map(List::iter).filter(|run| run.kind == Some(advisor));
    advice.map(|run| Advice::of(&run)).collect()
}

impl<'l> Advice<'l> {
    fn of(run: &Iteration<'l>) -> Self {
        let kept = run.cache_creation.and_then(|kept| kept.read().ephemeral_1h_input_tokens);
        Advice {
            model: run.model,
            tokens: Tokens::new(
                run.input_tokens,
                run.output_tokens,
                run.cache_read_input_tokens,
                run.cache_creation_input_tokens,
            ),
            cache_creation_1h: kept.filter(|tokens| *tokens > 0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_about_costs_is_told() {
        let lines = [
            r#"{"type":"user","sessionId":"s","message":{"content":"\"usage\":{} \"cost-state\""}}"#,
            r#"{"type":"assistant","sessionId":"s","timestamp":"1970-01-01T00:00:01Z","message":{"id":"m","model":"x","usage":{"input_tokens":1,"output_tokens":2},"stop_reason":"end_turn"}}"#,
            r#"{"type":"user","toolUseResult":{"usage":{"input_tokens":9}},"message":{"content":"usage"}}"#,
            r#"{"type":"assistant","message":{"usage":{"input_tokens":7"#,
            r#"{"type":"cost-state","totalCostUSD":0.5,"modelUsage":{"x":{"inputTokens":1,"costUSD":0.5}}}"#,
            r#"{"type":"assistant","message":{"model":"\ud800","usage":{"output_tokens":3}}}"#,
        ]
        .join("\n");
        let mut told = Vec::new();
        Figures::default().read(lines.as_bytes(), |figure| {
            told.push(match figure {
                Figure::Message(it) => format!("{:?} {:?} {:?}", it.tokens.input, it.tokens.output, it.time),
                Figure::Totals(it) => format!("{} {}", it.cost_usd, it.models.len()),
            })
        });
        assert_eq!(told, ["Some(1) Some(2) Some(1000)", "0.5 1", "None Some(3) None"]);
    }

    #[test]
    fn what_advisors_spend_is_beside_the_tokens_of_the_message() {
        let line = r#"{"type":"assistant","message":{"id":"m","usage":{"input_tokens":100,"output_tokens":50,"speed":"fast","server_tool_use":{"web_search_requests":3},"iterations":[{"type":"message","input_tokens":100,"output_tokens":50},{"type":"advisor_message","model":"x","input_tokens":300,"output_tokens":30,"cache_creation_input_tokens":7,"cache_creation":{"ephemeral_1h_input_tokens":7}}]}}}"#;
        let mut told = Vec::new();
        Figures::default().read(line.as_bytes(), |figure| {
            let Figure::Message(it) = figure else { return };
            let advice = it.advice.iter().map(|it| {
                (it.model.map(Str::decode).unwrap().into_owned(), it.tokens.input, it.cache_creation_1h)
            });
            told.push((it.tokens.input, it.web_searches, it.is_fast, advice.collect::<Vec<_>>()));
        });
        assert_eq!(told, [(Some(100), 3, true, vec![("x".to_owned(), Some(300), Some(7))])]);
    }
}
