//! Lines: some that a person might write, some that somebody might who wants more than is allowed, and both of them
//! with something wrong in them.

use super::parts::{BEFORE, BEHIND, BETWEEN, Choice, HARM, PARTS, PROGRAMS, QUOTED, RUNS};

pub(super) struct Lines(Random);

impl Lines {
    pub(super) fn new(seed: u64) -> Self {
        // Far from the step of the numbers: lines of two seeds have nothing in common.
        Lines(Random(seed.wrapping_mul(0xD134_2543_DE82_EF95)))
    }
}

impl Iterator for Lines {
    type Item = String;

    fn next(&mut self) -> Option<String> {
        let mut line = self.0.list(0);
        for _ in 0..[0, 0, 0, 1, 1, 2, 3, 5][self.0.below(8)] {
            line = self.0.harm(&line);
        }
        Some(line)
    }
}

/// Numbers that look like chance, and are the same every time.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut it = self.0;
        it = (it ^ (it >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        it = (it ^ (it >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        usize::try_from((it ^ (it >> 31)) % limit as u64).expect("it is below the limit")
    }

    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len())]
    }

    fn choose(&mut self, from: &Choice) -> &'static str {
        let is_odd = self.below(12) == 0;
        self.one(if is_odd { from.odd } else { from.usual })
    }

    fn list(&mut self, depth: usize) -> String {
        let mut line = self.stage(depth);
        for _ in 0..[0, 0, 0, 1, 1, 2][self.below(6)] {
            line += self.choose(&BETWEEN);
            line += &self.stage(depth);
        }
        line
    }

    fn stage(&mut self, depth: usize) -> String {
        let chance = if depth < 3 { self.below(12) } else { 5 };
        let (open, close) = match chance {
            0 => (["(", "( ", "((", "$(", "(\n", "f() ("][self.below(6)], ")"),
            1 => (
                ["{ ", "{", "{\n", "f() { ", "if ", "while "][self.below(6)],
                ["; }", " }", "\n}", "; } always { pwn; }"][self.below(4)],
            ),
            _ => return self.command(),
        };
        format!("{open}{}{close}{}", self.list(depth + 1), self.choose(&BEHIND))
    }

    fn command(&mut self) -> String {
        let mut command = String::new();
        for _ in 0..[0, 0, 0, 1, 2][self.below(5)] {
            command += self.choose(&BEFORE);
        }
        command += self.choose(&PROGRAMS);
        for _ in 0..self.below(4) {
            command += [" ", " ", " ", "\t", "  "][self.below(5)];
            command += &self.word();
        }
        command + self.choose(&BEHIND)
    }

    fn word(&mut self) -> String {
        let mut word = String::new();
        for _ in 0..[1, 1, 1, 2, 3][self.below(5)] {
            let (open, close) = match self.below(6) {
                0 => ("'", "'"),
                1 | 2 => ("\"", "\""),
                3 if self.below(6) == 0 => {
                    word += &self.broken();
                    continue;
                }
                _ => {
                    word += self.choose(&PARTS);
                    continue;
                }
            };
            let mut within: String = (0..=self.below(3)).map(|_| self.choose(&QUOTED)).collect();
            if self.below(6) == 0 {
                within += &self.broken();
            }
            word += &format!("{open}{within}{close}");
        }
        word
    }

    /// Something that a shell would run, were it not for what is in between; perhaps it does all the same.
    fn broken(&mut self) -> String {
        let runs: Vec<char> = self.one(&RUNS).chars().collect();
        let at = self.below(runs.len() + 1);
        let (before, behind) = runs.split_at(at);
        before.iter().collect::<String>() + self.one(&HARM) + &behind.iter().collect::<String>()
    }

    /// Something is put in, taken out, or said twice.
    fn harm(&mut self, line: &str) -> String {
        let letters: Vec<char> = line.chars().collect();
        let at = self.below(letters.len() + 1);
        let until = (at + self.below(4)).min(letters.len());
        let text = |letters: &[char]| letters.iter().collect::<String>();
        let (before, here, behind) =
            (text(&letters[..at]), text(&letters[at..until]), text(&letters[until..]));
        match self.below(6) {
            0 => before + &behind,
            1 => before + &here + &here + &behind,
            2 => before + self.one(&HARM) + &behind,
            _ => before + self.one(&HARM) + &here + &behind,
        }
    }
}
