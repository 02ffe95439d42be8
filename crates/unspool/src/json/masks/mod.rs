//! What 64 bytes look like, in as few instructions as the machine has for it. The only unsafe code there is.
//!
//! [`plain`] says what is meant, on every machine. The others say the same faster, and are checked against it
//! for all bytes in all places. Their `unsafe` is three promises: that the machine has the instructions, that a
//! block has 64 bytes to load, which its type says, and that bytes without a high bit are UTF-8.
//!
//! What it is worth: without the index, and so without any of this, the translator takes 2.95 times the instructions of
//! recorded sessions, 2.56 times those of deltas and 4.43 times those of long tool results (callgrind, AVX2, `cargo xtask
//! test instructions`). The column *careful* of docs/benchmarks.md has it in megabytes per second. With the index, but with other
//! instructions, telling events takes this many times the CPU of AVX2 (median of 14 rounds, in one process):
//!
//! | | recorded sessions | deltas | long tool results |
//! |---|---|---|---|
//! | SSE2 | 1.2 | 1.1 | 9.4 |
//! | none: byte by byte | 4.5 | 4.8 | 13.7 |

#![allow(unsafe_code, reason = "vector instructions: what they are worth is said above")]

#[cfg(target_arch = "aarch64")]
mod neon;
#[cfg(target_arch = "x86_64")]
mod x86;

use super::index::{Found, Index, Letters, Masks, Signs, index_with};

/// Looks at a text; see [`index_with`]. Gives the text too if it is ASCII.
pub(super) fn index<'t>(bytes: &'t [u8], index: &mut Index) -> (Found, Option<&'t str>) {
    let found = find(bytes, index);
    debug_assert_eq!(found.ascii, bytes.is_ascii());
    // SAFETY: ASCII is UTF-8.
    (found, found.ascii.then(|| unsafe { std::str::from_utf8_unchecked(bytes) }))
}

fn find(bytes: &[u8], index: &mut Index) -> Found {
    #[cfg(target_arch = "x86_64")]
    {
        if x86::is_wide() {
            // SAFETY: the machine was just asked whether it has these instructions.
            return unsafe { x86::index(bytes, index) };
        }
        index_with(bytes, index, x86::look, control, x86::signs, letters, parity)
    }
    #[cfg(target_arch = "aarch64")]
    // SAFETY: NEON is part of 64-bit ARM.
    return unsafe { neon::index(bytes, index) };
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    index_with(bytes, index, plain, control, signs, letters, parity)
}

/// For each bit, whether there is an odd number of ones up to it.
#[inline]
fn parity(mut bits: u64) -> u64 {
    for shift in [1, 2, 4, 8, 16, 32] {
        bits ^= bits << shift;
    }
    bits
}

/// Says what is meant.
#[cfg_attr(
    any(target_arch = "x86_64", target_arch = "aarch64"),
    allow(dead_code, reason = "the twin that the tests compare with")
)]
fn plain(block: &[u8; 64]) -> Masks {
    let mut masks = Masks::default();
    for (at, &byte) in block.iter().enumerate() {
        masks.quote |= u64::from(byte == b'"') << at;
        masks.slash |= u64::from(byte == b'\\') << at;
        masks.unusual |= u64::from(!(0x20..0x80).contains(&byte)) << at;
    }
    masks
}

/// Where the signs of JSON stand in a block, byte by byte: says what is meant.
#[cfg_attr(
    any(target_arch = "x86_64", target_arch = "aarch64"),
    allow(dead_code, reason = "the twin that the tests compare with")
)]
fn signs(block: &[u8; 64]) -> Signs {
    let mut signs = Signs::default();
    for (at, &byte) in block.iter().enumerate() {
        signs.open |= u64::from(matches!(byte, b'{' | b'[')) << at;
        signs.close |= u64::from(matches!(byte, b'}' | b']')) << at;
        signs.comma |= u64::from(byte == b',') << at;
        signs.colon |= u64::from(byte == b':') << at;
        signs.brace |= u64::from(byte & 0x20 != 0) << at;
        signs.digit |= u64::from(byte.is_ascii_digit()) << at;
        signs.zero |= u64::from(byte == b'0') << at;
    }
    signs
}

/// The control characters, on every machine.
#[cfg_attr(target_arch = "aarch64", allow(dead_code, reason = "the twin that the tests compare with"))]
fn control(block: &[u8; 64]) -> u64 {
    block.iter().enumerate().fold(0, |control, (at, byte)| control | u64::from(*byte < 0x20) << at)
}

/// The letters of escapes, on every machine.
#[cfg_attr(target_arch = "aarch64", allow(dead_code, reason = "the twin that the tests compare with"))]
fn letters(block: &[u8; 64]) -> Letters {
    let mut letters = Letters::default();
    for (at, &byte) in block.iter().enumerate() {
        let any = matches!(byte, b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' | b'u');
        letters.any |= u64::from(any) << at;
        letters.u |= u64::from(byte == b'u') << at;
    }
    letters
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_count_alike() {
        for bits in [0, 1, 2, 3, 1 << 63, u64::MAX, 0x8421_1248_9000_0001, 0x0f0f_f0f0_1234_5678] {
            let meant =
                (0..64).fold(0, |sum, at| sum | u64::from((bits << (63 - at)).count_ones() % 2) << at);
            assert_eq!(parity(bits), meant);
            #[cfg(target_arch = "x86_64")]
            if x86::is_wide() {
                // SAFETY: the machine was just asked whether it has these instructions.
                assert_eq!(unsafe { x86::parity_wide(bits) }, meant);
            }
        }
    }

    #[test]
    fn all_say_the_same() {
        // An interpreter takes a thousand times as long.
        let (bytes, places) = if cfg!(miri) { (13, 21) } else { (1, 1) };
        for byte in (0..=255).step_by(bytes) {
            for at in (0..64).step_by(places) {
                let mut block = [b'x'; 64];
                block[at] = byte;
                block[63 - at] = byte ^ 0x80;
                let (meant, signs) = (plain(&block), signs(&block));
                #[cfg(target_arch = "x86_64")]
                {
                    assert_eq!((x86::look(&block), x86::signs(&block)), (meant, signs), "{byte} at {at}");
                    if x86::is_wide() {
                        // SAFETY: the machine was just asked whether it has these instructions.
                        let wide = unsafe { (x86::look_wide(&block), x86::signs_wide(&block)) };
                        assert_eq!(wide, (meant, signs), "{byte} at {at}");
                        // SAFETY: as above.
                        let wide = unsafe { x86::letters_wide(&block) };
                        assert_eq!(wide, letters(&block), "{byte} at {at}");
                        // SAFETY: as above.
                        let wide = unsafe { x86::control_wide(&block) };
                        assert_eq!(wide, control(&block), "{byte} at {at}");
                    }
                }
                #[cfg(target_arch = "aarch64")]
                {
                    // SAFETY: NEON is part of 64-bit ARM.
                    let found = unsafe { (neon::look(&block), neon::signs(&block)) };
                    assert_eq!(found, (meant, signs), "{byte} at {at}");
                    // SAFETY: as above.
                    let found = unsafe { (neon::letters(&block), neon::control(&block)) };
                    assert_eq!(found, (letters(&block), control(&block)), "{byte} at {at}");
                }
                // One of the two is not ASCII.
                assert_eq!(meant.unusual.count_ones(), 1 + u32::from(byte & 0x7f < 0x20), "{byte} at {at}");
            }
        }
    }
}
