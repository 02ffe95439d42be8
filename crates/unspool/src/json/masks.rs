//! What 64 bytes look like, in as few instructions as the machine has for it. The only unsafe code there is.
//!
//! [`plain`] says what is meant, on every machine. The others say the same faster, and are checked against it
//! for all bytes in all places. Their `unsafe` is three promises: that the machine has the instructions, that a
//! block has 64 bytes to load, which its type says, and that bytes without a high bit are UTF-8.

#![allow(unsafe_code, reason = "vector instructions: the translator is a third faster with them")]

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
    #[cfg(not(target_arch = "x86_64"))]
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
#[cfg_attr(target_arch = "x86_64", allow(dead_code, reason = "the twin that the tests compare with"))]
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
#[cfg_attr(target_arch = "x86_64", allow(dead_code, reason = "the twin that the tests compare with"))]
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
fn control(block: &[u8; 64]) -> u64 {
    block.iter().enumerate().fold(0, |control, (at, byte)| control | u64::from(*byte < 0x20) << at)
}

/// The letters of escapes, on every machine.
fn letters(block: &[u8; 64]) -> Letters {
    let mut letters = Letters::default();
    for (at, &byte) in block.iter().enumerate() {
        let any = matches!(byte, b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' | b'u');
        letters.any |= u64::from(any) << at;
        letters.u |= u64::from(byte == b'u') << at;
    }
    letters
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::{Found, Index, Letters, Masks, Signs, index_with};
    use std::arch::x86_64::*;

    /// 16 bytes at a time, as every such machine can.
    #[inline(always)]
    pub(super) fn look(block: &[u8; 64]) -> Masks {
        let mut masks = Masks::default();
        for at in 0..4 {
            // SAFETY: SSE2 is part of x86_64, and the 16 bytes are inside the block.
            masks |= unsafe {
                let bytes = _mm_loadu_si128(block.as_ptr().add(at * 16).cast());
                let bits = |bytes| u64::from(_mm_movemask_epi8(bytes) as u16) << (at * 16);
                let is = |byte: u8| bits(_mm_cmpeq_epi8(bytes, _mm_set1_epi8(byte as i8)));
                // What is not ASCII is negative.
                let unusual = bits(_mm_cmplt_epi8(bytes, _mm_set1_epi8(0x20)));
                Masks { quote: is(b'"'), slash: is(b'\\'), unusual }
            };
        }
        masks
    }

    /// Which signs there are among 64 bytes.
    #[inline(always)]
    pub(super) fn signs(block: &[u8; 64]) -> Signs {
        let mut signs = Signs::default();
        for at in 0..4 {
            // SAFETY: SSE2 is part of x86_64, and the 16 bytes are inside the block.
            signs |= unsafe {
                let bytes = _mm_loadu_si128(block.as_ptr().add(at * 16).cast());
                let bits = |bytes| u64::from(_mm_movemask_epi8(bytes) as u16) << (at * 16);
                let same = |one, other| bits(_mm_cmpeq_epi8(one, other));
                let is = |byte: u8| same(bytes, _mm_set1_epi8(byte as i8));
                // Square brackets and braces differ in this bit alone.
                let braced = _mm_or_si128(bytes, _mm_set1_epi8(0x20));
                let figure = _mm_sub_epi8(bytes, _mm_set1_epi8(b'0' as i8));
                Signs {
                    open: same(braced, _mm_set1_epi8(b'{' as i8)),
                    close: same(braced, _mm_set1_epi8(b'}' as i8)),
                    comma: is(b','),
                    colon: is(b':'),
                    brace: bits(_mm_slli_epi16(bytes, 2)),
                    digit: same(figure, _mm_min_epu8(figure, _mm_set1_epi8(9))),
                    zero: is(b'0'),
                }
            };
        }
        signs
    }

    /// Whether the machine has the instructions of [`index`].
    pub(super) fn is_wide() -> bool {
        is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("pclmulqdq")
    }

    #[target_feature(enable = "avx2,bmi1,pclmulqdq")]
    pub(super) fn index(bytes: &[u8], index: &mut Index) -> Found {
        index_with(
            bytes,
            index,
            |block| look_wide(block),
            |block| control_wide(block),
            |block| signs_wide(block),
            |block| letters_wide(block),
            |bits| parity_wide(bits),
        )
    }

    /// A product without carries, with a factor of ones, sums up all bits below each.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,pclmulqdq")]
    pub(super) fn parity_wide(bits: u64) -> u64 {
        let product = _mm_clmulepi64_si128(_mm_set_epi64x(0, bits as i64), _mm_set1_epi8(-1), 0);
        _mm_cvtsi128_si64(product) as u64
    }

    /// The letters of escapes. Each is found by the two halves of its byte: the high half says which of four
    /// rows it may be in, the low half in which rows it is.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,pclmulqdq")]
    pub(super) fn letters_wide(block: &[u8; 64]) -> Letters {
        const SIGNS: i8 = 1; // 2x
        const SLASH: i8 = 2; // 5x
        const EARLY: i8 = 4; // 6x
        const LATE: i8 = 8; // 7x
        let rows = _mm_setr_epi8(0, 0, SIGNS, 0, 0, SLASH, EARLY, LATE, 0, 0, 0, 0, 0, 0, 0, 0);
        let places = _mm_setr_epi8(
            0,
            0,
            SIGNS | EARLY | LATE, // " b r
            0,
            LATE,  // t
            LATE,  // u
            EARLY, // f
            0,
            0,
            0,
            0,
            0,
            SLASH, // backslash
            0,
            EARLY, // n
            SIGNS, // /
        );
        let (rows, places) = (_mm256_broadcastsi128_si256(rows), _mm256_broadcastsi128_si256(places));
        let mut letters = Letters::default();
        for at in 0..2 {
            // SAFETY: the 32 bytes are inside the block.
            let bytes = unsafe { _mm256_loadu_si256(block.as_ptr().add(at * 32).cast()) };
            let bits = |bytes| u64::from(_mm256_movemask_epi8(bytes) as u32) << (at * 32);
            let high = _mm256_and_si256(_mm256_srli_epi16(bytes, 4), _mm256_set1_epi8(0x0f));
            let found = _mm256_and_si256(_mm256_shuffle_epi8(rows, high), _mm256_shuffle_epi8(places, bytes));
            letters.any |= bits(_mm256_cmpgt_epi8(found, _mm256_setzero_si256()));
            letters.u |= bits(_mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(b'u' as i8)));
        }
        letters
    }

    /// 32 bytes at a time.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,pclmulqdq")]
    pub(super) fn look_wide(block: &[u8; 64]) -> Masks {
        let mut masks = Masks::default();
        for at in 0..2 {
            // SAFETY: the 32 bytes are inside the block.
            let bytes = unsafe { _mm256_loadu_si256(block.as_ptr().add(at * 32).cast()) };
            let bits = |bytes| u64::from(_mm256_movemask_epi8(bytes) as u32) << (at * 32);
            let is = |byte: u8| bits(_mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(byte as i8)));
            // What is not ASCII is negative.
            let unusual = bits(_mm256_cmpgt_epi8(_mm256_set1_epi8(0x20), bytes));
            masks |= Masks { quote: is(b'"'), slash: is(b'\\'), unusual };
        }
        masks
    }

    /// The control characters.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,pclmulqdq")]
    pub(super) fn control_wide(block: &[u8; 64]) -> u64 {
        let mut control = 0;
        for at in 0..2 {
            // SAFETY: the 32 bytes are inside the block.
            let bytes = unsafe { _mm256_loadu_si256(block.as_ptr().add(at * 32).cast()) };
            let low = _mm256_cmpeq_epi8(bytes, _mm256_min_epu8(bytes, _mm256_set1_epi8(0x1f)));
            control |= u64::from(_mm256_movemask_epi8(low) as u32) << (at * 32);
        }
        control
    }

    /// Where the signs of JSON stand in a block, by vector instructions.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,pclmulqdq")]
    pub(super) fn signs_wide(block: &[u8; 64]) -> Signs {
        let mut signs = Signs::default();
        for at in 0..2 {
            // SAFETY: the 32 bytes are inside the block.
            let bytes = unsafe { _mm256_loadu_si256(block.as_ptr().add(at * 32).cast()) };
            let bits = |bytes| u64::from(_mm256_movemask_epi8(bytes) as u32) << (at * 32);
            let same = |one, other| bits(_mm256_cmpeq_epi8(one, other));
            let is = |byte: u8| same(bytes, _mm256_set1_epi8(byte as i8));
            // Square brackets and braces differ in this bit alone.
            let braced = _mm256_or_si256(bytes, _mm256_set1_epi8(0x20));
            let figure = _mm256_sub_epi8(bytes, _mm256_set1_epi8(b'0' as i8));
            signs |= Signs {
                open: same(braced, _mm256_set1_epi8(b'{' as i8)),
                close: same(braced, _mm256_set1_epi8(b'}' as i8)),
                comma: is(b','),
                colon: is(b':'),
                brace: bits(_mm256_slli_epi16(bytes, 2)),
                digit: same(figure, _mm256_min_epu8(figure, _mm256_set1_epi8(9))),
                zero: is(b'0'),
            };
        }
        signs
    }
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
                // One of the two is not ASCII.
                assert_eq!(meant.unusual.count_ones(), 1 + u32::from(byte & 0x7f < 0x20), "{byte} at {at}");
            }
        }
    }
}
