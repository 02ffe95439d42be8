//! Limits on money and round trips.

use super::stage::{FREELY, TWO_CALLS, all, on};

#[test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
fn money_is_limited() {
    // 1.0.128 has no such flag.
    on(
        |version| !version.starts_with("1."),
        TWO_CALLS,
        |stage| {
            let ran = stage.run(&[&["run", "go", "--max-cost", "0.0001"][..], &FREELY].concat());
            assert_eq!(ran.code, Some(22), "{} {ran:?}", stage.version);
            assert!(!stage.has("two.dir"), "{} {ran:?}", stage.version);
        },
    );
}

#[test]
#[ignore = "needs versions of Claude Code: cargo xtask cli"]
fn round_trips_are_limited() {
    on(all, TWO_CALLS, |stage| {
        let ran = stage.run(&[&["run", "go", "--max-turns", "1"][..], &FREELY].concat());
        assert_eq!(ran.code, Some(10), "{} {ran:?}", stage.version);
        assert!(ran.err.contains("failed: max_turns") && !stage.has("two.dir"), "{} {ran:?}", stage.version);
    });
}
