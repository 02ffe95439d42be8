//! What 64 bytes look like, by the vector instructions of x86-64: SSE2, which every such machine has, and AVX2.

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
