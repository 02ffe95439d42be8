//! Reads the same bytes three times, for callgrind to count: V first, then the translator, then the translator without
//! short cuts, input by input.
//!
//! Counting starts and stops with the three functions `counted_…`, and each call of one is a part of its own
//! in callgrind's output, so nothing but the reading is counted. `xtask` knows the order and the names.

use std::hint::black_box;
use std::path::Path;
use unspool_bench::input::{self, Input};
use unspool_bench::reader::{CAREFUL, OWNED, VALID};

/// Little: callgrind is fifty times as slow as the machine, and instructions need no second round.
const SIZE: usize = 1 << 20;

fn main() -> anyhow::Result<()> {
    let fixtures = Path::new("fixtures");
    for input in [input::mixed(fixtures)?, input::deltas(fixtures, SIZE)?, input::tools(SIZE)] {
        counted_validation(&input);
        counted_translation(&input);
        counted_careful(&input);
        println!("{}", input.name);
    }
    Ok(())
}

#[inline(never)]
fn counted_validation(input: &Input) {
    black_box((VALID.read)(black_box(input)));
}

#[inline(never)]
fn counted_translation(input: &Input) {
    black_box((OWNED.read)(black_box(input)));
}

#[inline(never)]
fn counted_careful(input: &Input) {
    black_box((CAREFUL.read)(black_box(input)));
}
