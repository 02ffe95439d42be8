//! Two texts, and what of them differs: word by word where they are short, else line by line.

use super::draw::Page;
use super::noise::{Noise, Origin};
use crate::view::style::{BOLD, PLAIN};
use crate::view::wrap::tidy;
use crate::view::{Line, style};
use crate::words::{Diff, Side};
use anstyle::{Effects, Style};
use similar::{ChangeTag, TextDiff};

/// Something that is drawn over the whole width, or on both sides.
pub(super) enum Row {
    /// Over the whole width.
    Across(Line),
    /// To the left, to the right, or both; without one of them that side has nothing.
    Sides([Vec<Line>; 2]),
    /// Lines that went, came, and stayed.
    Diff(Diff),
}

/// Longer texts are not compared word by word.
const SHORT: usize = 1500;

/// Nor are texts of more lines: side by side, and one below the other, where all of it would stand twice.
const FEW: [usize; 2] = [12, 3];

/// What has less than this part in common is shown without marks: all of it is another text.
const ALIKE: usize = 2;

const OLD: Style = style::REMOVED.effects(Effects::BOLD.insert(Effects::UNDERLINE));
const NEW: Style = style::ADDED.effects(Effects::BOLD.insert(Effects::UNDERLINE));

/// Both texts, without what is random in them: it would be marked, and does not count.
pub(super) fn rows(texts: [&str; 2], noises: [&Noise; 2], origin: Origin, page: &Page) -> Vec<Row> {
    let is_elsewhere = !noises[0].is_at(noises[1]);
    let [one, other] = [0, 1].map(|side| {
        let text = texts[side].trim_end();
        let noise = noises[side];
        if is_elsewhere { noise.without(text, origin) } else { noise.shown(text, origin) }
    });
    let few = FEW[usize::from(!page.has_columns())];
    let is_short = |text: &str| text.len() <= SHORT && text.split('\n').count() <= few;
    if is_short(&one) && is_short(&other) {
        return vec![Row::Sides(words(&one, &other, page.colour()))];
    }
    vec![Row::Diff(between(&one, &other))]
}

/// What makes one text of the other; exchanged, it is the same exchanged.
pub(super) fn between(one: &str, other: &str) -> Diff {
    if one <= other {
        return Diff::between(one, other, None);
    }
    let mut diff = Diff::between(other, one, None);
    for hunk in &mut diff.hunks {
        for row in &mut hunk.rows {
            row.side = match row.side {
                Side::Both => Side::Both,
                Side::Old => Side::New,
                Side::New => Side::Old,
            };
        }
        // What goes stands before what comes.
        for run in hunk.rows.chunk_by_mut(|one, other| (one.side == Side::Both) == (other.side == Side::Both))
        {
            run.sort_by_key(|row| row.side == Side::New);
        }
    }
    diff
}

/// Both texts as lines, with the words marked in which they differ.
fn words(one: &str, other: &str, colour: bool) -> [Vec<Line>; 2] {
    let [tidy_one, tidy_other] = [one, other].map(|text| tidy(text).into_owned());
    let is_swapped = tidy_one > tidy_other;
    let (from, to) = if is_swapped { (&tidy_other, &tidy_one) } else { (&tidy_one, &tidy_other) };
    let compared = TextDiff::from_words(from.as_str(), to.as_str());
    let mut sides: [Vec<Piece<'_>>; 2] = Default::default();
    for change in compared.iter_all_changes() {
        let side = match change.tag() {
            ChangeTag::Equal => None,
            ChangeTag::Delete => Some(usize::from(is_swapped)),
            ChangeTag::Insert => Some(usize::from(!is_swapped)),
        };
        for (at, pieces) in sides.iter_mut().enumerate() {
            if side.is_none_or(|side| side == at) {
                pieces.push((change.value(), side.is_some()));
            }
        }
    }
    let is_alike = is_alike(&sides);
    let mut at = 0;
    sides.map(|mut pieces| {
        join(&mut pieces);
        let mut writer = Writer::default();
        pieces.iter().for_each(|(text, marked)| writer.write(text, *marked && is_alike, at, colour));
        at += 1;
        writer.end(at - 1, colour)
    })
}

/// A word or a space, and whether the other text lacks it.
type Piece<'t> = (&'t str, bool);

/// Whether enough of both is the same that it is worth saying what is not.
fn is_alike(sides: &[Vec<Piece<'_>>; 2]) -> bool {
    let words = |pieces: &[Piece<'_>], wanted: fn(bool) -> bool| -> usize {
        let all = pieces.iter().filter(|(text, marked)| !text.trim().is_empty() && wanted(*marked));
        all.map(|(text, _)| text.len()).sum()
    };
    let all: usize = sides.iter().map(|pieces| words(pieces, |_| true)).sum();
    let same: usize = sides.iter().map(|pieces| words(pieces, |marked| !marked)).sum();
    same * ALIKE >= all
}

/// A space between two words that are marked is marked as well.
fn join(pieces: &mut [Piece<'_>]) {
    for at in 1..pieces.len().saturating_sub(1) {
        let is_between = pieces[at - 1].1 && pieces[at + 1].1;
        let (text, marked) = &mut pieces[at];
        *marked |= is_between && text.trim().is_empty() && !text.contains('\n');
    }
}

/// Writes words as lines.
#[derive(Default)]
struct Writer {
    lines: Vec<Line>,
    line: Line,
    is_marked: bool,
}

impl Writer {
    fn write(&mut self, text: &str, marked: bool, side: usize, colour: bool) {
        for (at, piece) in text.split('\n').enumerate() {
            if at > 0 {
                self.mark(false, side, colour);
                self.lines.push(std::mem::take(&mut self.line));
            }
            if !piece.is_empty() {
                self.mark(marked, side, colour);
                self.line.push(piece, if marked { [OLD, NEW][side] } else { PLAIN });
            }
        }
    }

    /// Where there are no colours, brackets say where it begins and ends.
    fn mark(&mut self, marked: bool, side: usize, colour: bool) {
        if std::mem::replace(&mut self.is_marked, marked) != marked && !colour {
            let marks = [["-]", "[-"], ["+}", "{+"]];
            self.line.push(marks[side][usize::from(marked)], BOLD);
        }
    }

    fn end(mut self, side: usize, colour: bool) -> Vec<Line> {
        self.mark(false, side, colour);
        self.lines.push(self.line);
        self.lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn told(one: &str, other: &str) -> [String; 2] {
        words(one, other, false).map(|lines| lines.iter().map(Line::text).collect::<Vec<_>>().join("\n"))
    }

    #[test]
    fn the_words_that_differ_are_marked() {
        let told = |one: &str, other: &str| told(one, other).join(" / ");
        assert_eq!(
            told("I look at the README first.", "I look at the whole manual first."),
            "I look at the [-README-] first. / I look at the {+whole manual+} first."
        );
        assert_eq!(told("one two", "three four five"), "one two / three four five", "nothing is the same");
        assert_eq!(told("all\nof it", "all\nof that"), "all\nof [-it-] / all\nof {+that+}");
    }

    proptest! {
        #[test]
        fn exchanged_they_are_marked_the_same(one in "([ab] |\n){0,12}", other in "([ab] |\n){0,12}") {
            let bare = |text: &str| text.replace(['[', ']', '{', '}'], "|").replace(['-', '+'], "");
            let [left, right] = told(&one, &other);
            let [back_right, back_left] = told(&other, &one);
            prop_assert_eq!((bare(&left), bare(&right)), (bare(&back_left), bare(&back_right)));
            let diff = between(&one, &other);
            let back = between(&other, &one);
            prop_assert_eq!((diff.added(), diff.removed()), (back.removed(), back.added()));
        }
    }
}
