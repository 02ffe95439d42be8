//! The page with a player: what its numbers say of every moment is what the story said then.

use super::tests::{balanced, page, tags, written};
use super::*;
use crate::moments::is_seen;
use crate::story::tests::{events, sessions};
use crate::story::{Item, Limit};
use std::collections::HashMap;
use unspool::event::Event;
use unspool::{Grain, Spool};

fn told<'e>(events: impl IntoIterator<Item = &'e Event<'e>>) -> Story {
    let mut story = Story::new(Limit::Bytes(16 << 10));
    events.into_iter().for_each(|event| story.step(event));
    story
}

fn played(story: &Story) -> String {
    written(&Page { play: true, ..Page::of(story) })
}

/// Its value, if the tag has this attribute.
fn attribute<'t>(tag: &'t str, name: &str) -> Option<&'t str> {
    let (_, rest) = tag.split_once(&format!(" {name}=\""))?;
    rest.split('"').next()
}

fn number(tag: &str, name: &str) -> Option<usize> {
    attribute(tag, name).map(|number| number.parse().unwrap())
}

#[test]
fn without_it_there_is_nothing_of_it() {
    for path in sessions() {
        let html = page(&events(&path), false);
        for sign in ["data-n=", "data-u=", "data-r=", "id=\"player\"", "class=\"later\""] {
            assert!(!html.contains(sign), "{sign} in {}", path.display());
        }
    }
}

/// Whatever is shown, what is around it is shown, too; nothing comes before the first moment or behind the last.
#[test]
fn what_is_inside_comes_no_sooner_than_what_is_around_it() {
    for path in sessions() {
        let story = told(&events(&path));
        let html = played(&story);
        balanced(&html);
        let mut open = Vec::new();
        for tag in tags(&html) {
            let around = open.last().copied().unwrap_or(0);
            if tag.starts_with('/') {
                open.pop();
                continue;
            }
            let comes = number(tag, "data-n");
            let ends = [number(tag, "data-u"), number(tag, "data-r"), comes].into_iter().flatten();
            assert!(ends.max().unwrap_or(0) <= story.moments.last(), "{tag} in {}", path.display());
            // What nobody counts comes with what is around it.
            let inherits = comes.is_none_or(|comes| comes == 0 && !tag.contains("class=\"item"));
            assert!(inherits || comes.unwrap() >= around, "{tag}, in {around}, in {}", path.display());
            if !matches!(
                tag.split([' ', '\n']).next(),
                Some("!doctype" | "meta" | "input" | "br" | "hr" | "img")
            ) {
                open.push(comes.unwrap_or(0).max(around));
            }
        }
    }
}

/// A session that is cut behind a moment has told the items that the numbers show then, and the answers of the same calls.
#[test]
fn at_every_moment_there_is_what_was_told_until_then() {
    for path in sessions() {
        let events = events(&path);
        let story = told(&events);
        let html = played(&story);
        let numbers: HashMap<&str, (usize, Option<usize>)> = tags(&html)
            .filter_map(|tag| Some((attribute(tag, "id")?, (number(tag, "data-n")?, number(tag, "data-r")))))
            .collect();
        let seen = events.iter().enumerate().filter(|(_, event)| is_seen(&event.what));
        // Many moments of long sessions are like others.
        let step = (story.moments.last() / 16).max(1);
        for (moment, (event, _)) in (1..).zip(seen).step_by(step) {
            let then = told(&events[..=event]);
            for (agent, member) in story.agents.iter().enumerate() {
                for (rank, item) in member.items.iter().enumerate() {
                    let place = ItemPlace { agent, item: rank };
                    let Some((comes, answered)) = numbers.get(&*anchor(place)) else { continue };
                    let was = then.agents.get(agent).and_then(|member| member.items.get(rank));
                    let is_same = match (was, item) {
                        (Some(Item::Call(_)), Item::Call(call)) if call.agent.is_some() => continue,
                        (Some(Item::Call(was)), Item::Call(call)) => {
                            let is_answered = was.answer.is_some() || call.abandoned;
                            let is_seen = answered.is_some_and(|answered| answered <= moment);
                            *comes <= moment && (is_answered == is_seen || call.answer.is_none())
                        }
                        // It is there when all of it is.
                        (
                            Some(Item::Text(was) | Item::Thinking(was)),
                            Item::Text(is) | Item::Thinking(is),
                        ) => (was.text == is.text) == (*comes <= moment),
                        (was, _) => was.is_some() == (*comes <= moment),
                    };
                    assert!(is_same, "{} at {moment} in {}", anchor(place), path.display());
                }
            }
        }
    }
}

#[test]
fn figures_at_the_top_are_those_of_the_moment() {
    let turn = |cost: &str| {
        format!(
            "{{\"type\":\"system\",\"subtype\":\"init\",\"session_id\":\"s\"}}\n{{\"type\":\"result\",\"subtype\":\"success\",\"result\":\"a\",\"session_id\":\"s\",\"total_cost_usd\":{cost}}}\n"
        )
    };
    let events = Spool::read(Grain::Blocks, (turn("0.25") + &turn("0.75")).as_bytes());
    let html = played(&told(&events));
    let (_, rest) = html.split_once("<dt>Cost</dt><dd>").unwrap();
    let (cost, _) = rest.split_once("</dd>").unwrap();
    let told: Vec<_> = cost
        .split("<span")
        .skip(1)
        .map(|span| {
            let (tag, words) = span.split_once('>').unwrap();
            (number(tag, "data-n"), number(tag, "data-u"), words.split('<').next().unwrap())
        })
        .collect();
    let last = told[2].0;
    let expected = [(Some(0), Some(3), "–"), (Some(3), last, "$0.2500"), (last, None, "$0.7500")];
    assert_eq!((told, last), (expected.to_vec(), Some(5)));
}

#[test]
fn the_player_knows_times_turns_agents_and_troubles() {
    let path = sessions().into_iter().find(|path| path.ends_with("page/fix_the_parser.ndjson")).unwrap();
    let story = told(&events(&path));
    let html = played(&story);
    let player = tags(&html).find(|tag| tag.contains("id=\"player\"")).unwrap();
    let list =
        |name: &str| attribute(player, name).unwrap().split(' ').map(|it| it.parse().unwrap()).collect();
    let (times, turns, troubles): (Vec<u64>, Vec<u64>, Vec<u64>) =
        (list("data-times"), list("data-turns"), list("data-troubles"));
    assert_eq!((times.len(), times.iter().sum()), (story.moments.last(), 57_100));
    assert_eq!((turns, troubles.len()), (vec![2], 3));
    assert!(attribute(player, "data-agents").unwrap().starts_with("1 "));
    let untimed = Spool::read(Grain::Blocks, b"{\"type\":\"system\",\"subtype\":\"init\"}\n");
    let html = played(&told(&untimed));
    assert!(html.contains("data-last=\"3\"") && !html.contains("data-times="));
    // Of nothing there is nothing to play.
    assert!(!played(&Story::new(Limit::Whole)).contains("id=\"player\""));
}
