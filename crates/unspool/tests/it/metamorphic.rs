//! One session, many dialects: the story must be the same, whoever wrote it down.

use crate::render::{Chance, Dialect, Shape, render};
use crate::session::{Session, session};
use crate::told::Told;
use proptest::prelude::*;
use std::panic;
use unspool::{Grain, Spool, properties};

/// One block per line: every CLI since 1.0.128.
const LINES: Dialect = Dialect { shape: Shape::Blocks, ids: true, uuids: true, mixed: false };
/// One block per line, without uuids: 0.2.118 to 1.0.85.
const OLD_LINES: Dialect = Dialect { uuids: false, ..LINES };
const SNAPSHOTS: Dialect = Dialect { shape: Shape::Snapshots, ..OLD_LINES };
const SNAPSHOTS_WITH_UUIDS: Dialect = Dialect { uuids: true, ..SNAPSHOTS };
const SNAPSHOTS_WITHOUT_IDS: Dialect = Dialect { ids: false, ..SNAPSHOTS };
/// 0.2.114.
const BARE: Dialect = Dialect { shape: Shape::Bare { pretty: false }, ..OLD_LINES };
/// 0.2.70.
const BARE_OVER_LINES: Dialect = Dialect { shape: Shape::Bare { pretty: true }, ..OLD_LINES };
const PARTIAL: Dialect = Dialect { shape: Shape::Partial, ..LINES };
const UNCONFIRMED: Dialect = Dialect { shape: Shape::Unconfirmed, ..LINES };

fn mixed(dialect: Dialect) -> Dialect {
    Dialect { mixed: true, ..dialect }
}

/// Reads a rendering in both grains, and compares it with the session.
fn check(session: &Session, dialect: Dialect, seed: u64) {
    let stream = render(session, dialect, seed);
    for grain in [Grain::Blocks, Grain::Deltas] {
        let (mut told, mut expected) = (Told::of(&Spool::read(grain, &stream)), Told::expected(session));
        if !dialect.ids {
            expected = expected.without_ids();
        }
        if dialect.shape == Shape::Unconfirmed {
            told = told.by_rank();
        }
        if let Some(difference) = told.difference(&expected) {
            panic!("{difference}\n\nin {grain:?} of {dialect:?}\n{}", String::from_utf8_lossy(&stream));
        }
    }
}

/// Tries all properties; one that does not hold is shown with its stream.
fn hold(stream: &[u8], piece: usize) {
    let tried = panic::catch_unwind(|| {
        properties::cuts_do_not_matter(stream, piece);
        properties::short_cuts_do_not_matter(stream);
        properties::grains_agree(stream);
        properties::output_is_json(stream);
        properties::told_in_order(stream);
        properties::nothing_is_lost(stream);
        properties::journals_keep_streams(stream, piece);
    });
    if let Err(cause) = tried {
        let cause = cause.downcast::<String>().unwrap_or_default();
        panic!("{cause}\nin\n{}", String::from_utf8_lossy(stream));
    }
}

fn cases(count: u32) -> ProptestConfig {
    ProptestConfig { max_shrink_iters: 400, ..ProptestConfig::with_cases(count) }
}

proptest! {
    #![proptest_config(cases(48))]

    #[test]
    fn dialects_with_uuids_tell_any_session(session in session(), seed: u64) {
        for dialect in [LINES, SNAPSHOTS_WITH_UUIDS, PARTIAL, UNCONFIRMED] {
            check(&session, dialect, seed);
            check(&session, mixed(dialect), seed);
        }
    }

    #[test]
    fn dialects_without_uuids_tell_sessions_of_different_words(session in session(), seed: u64) {
        let session = session.distinct();
        for dialect in [OLD_LINES, SNAPSHOTS] {
            check(&session, dialect, seed);
            check(&session, mixed(dialect), seed);
        }
    }

    #[test]
    fn dialects_without_agents_tell_what_the_main_agent_says(session in session(), seed: u64) {
        let session = session.distinct().alone();
        for dialect in [SNAPSHOTS_WITHOUT_IDS, BARE, BARE_OVER_LINES] {
            check(&session, dialect, seed);
        }
    }

}

proptest! {
    #![proptest_config(cases(20))]

    #[test]
    fn properties_hold_for_any_session(session in session(), seed: u64, piece in 1..90usize) {
        for dialect in [mixed(LINES), mixed(SNAPSHOTS), mixed(PARTIAL), mixed(UNCONFIRMED), BARE_OVER_LINES] {
            let stream = render(&session, dialect, seed);
            hold(&stream, piece);
            properties::lists_tell_what_lines_tell(&stream);
        }
    }

    /// A stream that was cut, or damaged anywhere, breaks no promise.
    #[test]
    fn properties_hold_for_damaged_streams(session in session(), seed: u64, damage in damage()) {
        for dialect in [mixed(LINES), mixed(SNAPSHOTS), mixed(PARTIAL), SNAPSHOTS_WITHOUT_IDS] {
            let mut stream = render(&session, dialect, seed);
            damage.apply(&mut stream, &mut Chance(seed));
            hold(&stream, 1);
        }
    }

    /// A list that was cut, or damaged anywhere, breaks none either.
    #[test]
    fn properties_hold_for_damaged_lists(session in session(), seed: u64, damage in damage(), compact: bool) {
        let stream = String::from_utf8(render(&session, mixed(LINES), seed)).unwrap();
        let objects: Vec<_> = stream.lines().collect();
        let mut list = match compact {
            true => format!("[{}]", objects.join(",")),
            false => format!("[\n{}\n]", objects.join(",\n").replace(",\"", ",\n\"")),
        }
        .into_bytes();
        damage.apply(&mut list, &mut Chance(seed));
        hold(&list, 1);
    }
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn properties_hold_for_any_bytes(bytes: Vec<u8>, piece in 1..9usize) {
        hold(&bytes, piece);
    }

    #[test]
    fn json_is_read_as_everybody_reads_it(text in "[ \\[\\]{}:,\"\\\\u0-9a-fDd8truefalsnE.+-]{0,24}|\\PC{0,12}") {
        properties::json_agrees_with_serde_json(&text);
    }
}

/// What happens to files and pipes.
#[derive(Clone, Copy, Debug)]
enum Damage {
    Cut,
    Flip,
    /// Lines are lost.
    Lose,
    /// Lines come twice.
    Repeat,
    /// Lines change places.
    Swap,
}

fn damage() -> impl Strategy<Value = Damage> {
    prop_oneof![
        Just(Damage::Cut),
        Just(Damage::Flip),
        Just(Damage::Lose),
        Just(Damage::Repeat),
        Just(Damage::Swap),
    ]
}

impl Damage {
    fn apply(self, stream: &mut Vec<u8>, chance: &mut Chance) {
        let mut lines: Vec<_> = stream.split_inclusive(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect();
        let (at, other) = (chance.below(lines.len()), chance.below(lines.len()));
        match self {
            Damage::Cut => stream.truncate(chance.below(stream.len())),
            Damage::Flip => {
                for _ in 0..3 {
                    let at = chance.below(stream.len());
                    stream[at] = chance.below(256) as u8;
                }
            }
            Damage::Lose => drop(lines.remove(at)),
            Damage::Repeat => lines.insert(other, lines[at].clone()),
            Damage::Swap => lines.swap(at, other),
        }
        if matches!(self, Damage::Lose | Damage::Repeat | Damage::Swap) {
            *stream = lines.concat();
        }
    }
}
