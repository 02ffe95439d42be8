//! All that a session has to stop at, found before it is played.

use super::super::cue::Moment;
use super::super::position::{Excerpt, Side};
use crate::source::{Came, Listener, Source};
use std::collections::HashMap;
use unspool::event::What;
use unspool::{Event, Grain};
use unspool_report::moments::{is_bad, is_seen};

/// Where a session may be stopped. A place in it is the number of events that have happened.
pub(super) struct Map {
    /// How many there are.
    pub(super) events: u64,
    /// When the last one was, in milliseconds.
    pub(super) length: u64,
    /// Somebody knows when they were.
    pub(super) has_times: bool,
    /// The last turn.
    pub(super) turns: u64,
    /// What had happened where it is to begin.
    pub(super) begin: u64,
    /// And where it is to end, if that is not its end.
    pub(super) end: Option<u64>,
    /// When what happens next there was.
    pub(super) begin_at: u64,
    stops: Vec<Stop>,
}

/// Something that is worth to be stopped at.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stop {
    /// How many events have happened with it.
    pub(super) place: u64,
    /// When it was.
    pub(super) at: u64,
    /// Which turn it is.
    pub(super) turn: u64,
    /// A turn begins.
    pub(super) begins_turn: bool,
    /// It went wrong.
    pub(super) is_bad: bool,
    /// Who it is about, by rank.
    agent: u32,
}

impl Map {
    /// Reads a session once.
    pub(super) fn of(source: &Source, excerpt: Excerpt) -> anyhow::Result<Self> {
        let map = Map {
            events: 0,
            length: 0,
            has_times: true,
            turns: 0,
            begin: 0,
            end: None,
            begin_at: 0,
            stops: Vec::new(),
        };
        let mut maker =
            Maker { map, moment: Moment::default(), excerpt, has_begun: false, agents: HashMap::new() };
        source.tell_to(Grain::Deltas, &mut maker)?;
        if let Some(place) = maker.excerpt.never_begun() {
            anyhow::bail!("{} ends before {place}", source.name());
        }
        Ok(maker.map)
    }

    /// The first stop behind a place of which this is true.
    pub(super) fn next(&self, place: u64, fits: impl Fn(&Stop) -> bool) -> Option<&Stop> {
        let from = self.stops.partition_point(|stop| stop.place <= place);
        self.stops[from..].iter().find(|stop| fits(stop))
    }

    /// The last one before it.
    pub(super) fn before(&self, place: u64, fits: impl Fn(&Stop) -> bool) -> Option<&Stop> {
        let to = self.stops.partition_point(|stop| stop.place < place);
        self.stops[..to].iter().rev().find(|stop| fits(stop))
    }

    /// The stop that was passed last.
    pub(super) fn last(&self, place: u64) -> Option<&Stop> {
        self.before(place.saturating_add(1), |_| true)
    }

    /// The first one that is about somebody else.
    pub(super) fn next_agent(&self, place: u64) -> Option<&Stop> {
        let agent = self.last(place).map(|stop| stop.agent);
        self.next(place, |stop| Some(stop.agent) != agent)
    }

    /// The last one before, where somebody else began.
    pub(super) fn agent_before(&self, place: u64) -> Option<&Stop> {
        let agent = self.last(place)?.agent;
        let other = self.before(place, |stop| stop.agent != agent)?;
        // Where that one began.
        let begun = self.before(other.place, |stop| stop.agent != other.agent).map_or(0, |stop| stop.place);
        self.next(begun, |_| true)
    }

    /// How many stops there are, and how many of them have been passed.
    pub(super) fn count(&self, place: u64) -> (usize, usize) {
        (self.stops.partition_point(|stop| stop.place <= place), self.stops.len())
    }
}

struct Maker {
    map: Map,
    moment: Moment,
    excerpt: Excerpt,
    has_begun: bool,
    /// Agents by rank.
    agents: HashMap<String, u32>,
}

impl Maker {
    fn rank(&mut self, agent: &str) -> u32 {
        let next = u32::try_from(self.agents.len()).unwrap_or(u32::MAX);
        match self.agents.get(agent) {
            Some(rank) => *rank,
            None => *self.agents.entry(agent.to_owned()).or_insert(next),
        }
    }
}

impl Listener for Maker {
    fn is_by_line(&self) -> bool {
        true
    }

    fn begins(&mut self, has_times: bool) {
        self.map.has_times = has_times;
        self.moment = Moment::begins(has_times);
    }

    fn came(&mut self, line: &Came<'_>) {
        self.moment.came(line);
    }

    fn event(&mut self, event: &Event<'_>) {
        self.moment.step(event);
        self.excerpt.step(event);
        let begins_turn = matches!(event.what, What::TurnStart { .. });
        if begins_turn {
            self.map.turns = event.turn.unwrap_or(self.map.turns);
        }
        let side = self.excerpt.side(self.moment.number, self.moment.at);
        if side == Side::Within && !std::mem::replace(&mut self.has_begun, true) {
            (self.map.begin, self.map.begin_at) = (self.map.events, self.excerpt.begin(self.moment.at));
        }
        if side == Side::Behind && self.map.end.is_none() {
            self.map.end = Some(self.map.events);
        }
        self.map.events += 1;
        self.map.length = self.moment.at;
        if is_seen(&event.what) {
            let stop = Stop {
                place: self.map.events,
                at: self.moment.at,
                turn: self.map.turns,
                begins_turn,
                is_bad: is_bad(&event.what),
                agent: self.rank(event.agent.as_str()),
            };
            self.map.stops.push(stop);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::replay::Position;
    use crate::source::Sources;
    use std::path::Path;
    use unspool_report::moments::Moments;

    fn map(fixture: &str, from: Option<Position>, to: Option<Position>) -> anyhow::Result<Map> {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures").join(fixture);
        Map::of(&Sources::of(vec![file]).find()?.one()?, Excerpt::new(from, to))
    }

    /// The places that are met when this is done again and again.
    fn walk<'m>(map: &'m Map, from: u64, step: impl Fn(&'m Map, u64) -> Option<&'m Stop>) -> Vec<u64> {
        std::iter::successors(Some(from), |place| step(map, *place).map(|stop| stop.place)).skip(1).collect()
    }

    #[test]
    fn the_way_back_is_the_way_there() {
        for fixture in
            ["agents/sub2-2.1.325.ndjson", "turns/multi3-2.1.325.ndjson", "page/fix_the_parser.ndjson"]
        {
            let map = map(fixture, None, None).unwrap();
            let on = walk(&map, 0, |map, place| map.next(place, |_| true));
            let mut back = walk(&map, map.events + 1, |map, place| map.before(place, |_| true));
            back.reverse();
            assert_eq!((&on, on.last()), (&back, Some(&map.events)), "{fixture}");
            assert!(on.len() > 5 && on.windows(2).all(|two| two[0] < two[1]), "{on:?}");
            assert_eq!(map.count(on[3]), (4, on.len()));
        }
    }

    #[test]
    fn turns_agents_and_troubles_are_found() {
        let turns = map("turns/multi3-2.1.325.ndjson", None, None).unwrap();
        let met = walk(&turns, 0, |map, place| map.next(place, |stop| stop.begins_turn));
        assert_eq!((met.len(), turns.turns), (3, 3));
        assert_eq!(turns.last(met[1]).map(|stop| stop.turn), Some(2));
        let agents = map("agents/sub2-2.1.325.ndjson", None, None).unwrap();
        let met = walk(&agents, 0, Map::next_agent);
        assert!(met.len() > 3, "{met:?}");
        let speakers: Vec<u32> = met.iter().map(|place| agents.last(*place).unwrap().agent).collect();
        assert!(speakers.windows(2).all(|two| two[0] != two[1]), "{speakers:?}");
        let mut back = walk(&agents, agents.events, Map::agent_before);
        back.reverse();
        assert_eq!(back, met[..met.len() - 1], "where each of them began");
        let page = map("page/fix_the_parser.ndjson", None, None).unwrap();
        assert!(walk(&page, 0, |map, place| map.next(place, |stop| stop.is_bad)).len() >= 3);
        assert!(walk(&agents, 0, |map, place| map.next(place, |stop| stop.is_bad)).is_empty());
    }

    /// However finely it is told: the page of a session, too, has so many moments.
    #[test]
    fn there_are_as_many_stops_as_moments_on_the_page() {
        for fixture in [
            "agents/sub2-2.1.325.ndjson",
            "agents/sub2_partial-2.1.112.ndjson",
            "page/fix_the_parser.ndjson",
            "partial/thinktool_partial-1.0.128.ndjson",
            "recordings/permissions-2.1.325.rec",
        ] {
            let mut moments = Moments::default();
            let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures").join(fixture);
            let source = Sources::of(vec![file]).find().unwrap().one().unwrap();
            source.tell(Grain::Blocks, |event| moments.step(event)).unwrap();
            let map = map(fixture, None, None).unwrap();
            assert_eq!(map.count(0), (0, moments.last()), "{fixture}");
        }
    }

    #[test]
    fn it_begins_and_ends_where_it_should() {
        let part =
            map("turns/multi3-2.1.325.ndjson", Some(Position::Turn(2)), Some(Position::Turn(2))).unwrap();
        let (first, behind) = (part.next(part.begin, |_| true).unwrap(), part.end.unwrap());
        assert!(first.begins_turn && first.turn == 2 && first.place == part.begin + 1, "{first:?}");
        assert_eq!(part.next(behind, |_| true).map(|stop| (stop.place, stop.turn)), Some((behind + 1, 3)));
        let error = map("turns/multi3-2.1.325.ndjson", Some(Position::Turn(9)), None).err().unwrap();
        assert!(error.to_string().ends_with("ends before turn 9"), "{error}");
    }
}
