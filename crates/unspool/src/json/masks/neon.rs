//! What 64 bytes look like, by the vector instructions of 64-bit ARM: NEON, which every such machine has.

use super::{Found, Index, Letters, Masks, Signs, index_with, parity};
use std::arch::aarch64::*;

#[target_feature(enable = "neon")]
pub(super) fn index(bytes: &[u8], index: &mut Index) -> Found {
    index_with(
        bytes,
        index,
        |block| look(block),
        |block| control(block),
        |block| signs(block),
        |block| letters(block),
        parity,
    )
}

/// 64 bytes, 16 in each.
type Block = [uint8x16_t; 4];

#[inline]
#[target_feature(enable = "neon")]
fn load(block: &[u8; 64]) -> Block {
    // SAFETY: the 16 bytes are inside the block.
    [0, 16, 32, 48].map(|at| unsafe { vld1q_u8(block.as_ptr().add(at)) })
}

/// A bit for each byte that is all ones, and none for one that is all zeros: each keeps the bit of its place among eight, and
/// neighbours are added three times.
#[inline]
#[target_feature(enable = "neon")]
fn bits(found: Block) -> u64 {
    const PLACES: u64 = 0x8040_2010_0804_0201;
    let places = vreinterpretq_u8_u64(vdupq_n_u64(PLACES));
    let [a, b, c, d] = found.map(|bytes| vandq_u8(bytes, places));
    let sums = vpaddq_u8(vpaddq_u8(a, b), vpaddq_u8(c, d));
    vgetq_lane_u64(vreinterpretq_u64_u8(vpaddq_u8(sums, sums)), 0)
}

#[inline]
#[target_feature(enable = "neon")]
fn is(bytes: Block, byte: u8) -> u64 {
    bits(bytes.map(|bytes| vceqq_u8(bytes, vdupq_n_u8(byte))))
}

#[inline]
#[target_feature(enable = "neon")]
pub(super) fn look(block: &[u8; 64]) -> Masks {
    let bytes = load(block);
    // What is not ASCII is negative.
    let unusual = bits(bytes.map(|bytes| vcltq_s8(vreinterpretq_s8_u8(bytes), vdupq_n_s8(0x20))));
    Masks { quote: is(bytes, b'"'), slash: is(bytes, b'\\'), unusual }
}

/// The control characters.
#[inline]
#[target_feature(enable = "neon")]
pub(super) fn control(block: &[u8; 64]) -> u64 {
    bits(load(block).map(|bytes| vcltq_u8(bytes, vdupq_n_u8(0x20))))
}

/// Which signs there are among 64 bytes.
#[inline]
#[target_feature(enable = "neon")]
pub(super) fn signs(block: &[u8; 64]) -> Signs {
    let bytes = load(block);
    // Square brackets and braces differ in this bit alone.
    let bit = vdupq_n_u8(0x20);
    let braced = bytes.map(|bytes| vorrq_u8(bytes, bit));
    let figures = bytes.map(|bytes| vsubq_u8(bytes, vdupq_n_u8(b'0')));
    Signs {
        open: is(braced, b'{'),
        close: is(braced, b'}'),
        comma: is(bytes, b','),
        colon: is(bytes, b':'),
        brace: bits(bytes.map(|bytes| vtstq_u8(bytes, bit))),
        digit: bits(figures.map(|figure| vcleq_u8(figure, vdupq_n_u8(9)))),
        zero: is(bytes, b'0'),
    }
}

/// The letters of escapes. Few blocks have any, and they are looked at one by one.
#[inline]
#[target_feature(enable = "neon")]
pub(super) fn letters(block: &[u8; 64]) -> Letters {
    let bytes = load(block);
    let any = b"\"\\/bfnrtu".iter().fold(0, |any, &letter| any | is(bytes, letter));
    Letters { any, u: is(bytes, b'u') }
}
