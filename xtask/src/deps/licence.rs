//! Licence expressions, as crates write them: SPDX, and the older `MIT/Apache-2.0`.

use anyhow::{bail, ensure};

/// Whether the licences in `allowed` are enough to use what is licensed by `expression`.
pub(super) fn satisfied(expression: &str, allowed: &[String]) -> anyhow::Result<bool> {
    let spaced = expression.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
    let mut reader = Reader { words: spaced.split_whitespace().collect(), at: 0, allowed };
    let verdict = reader.any()?;
    ensure!(reader.at == reader.words.len(), "`{expression}` does not end where it should");
    Ok(verdict)
}

/// Reads `any := all (OR all)*`, `all := one (AND one)*`, `one := ( any ) | name [WITH name]`.
struct Reader<'a> {
    words: Vec<&'a str>,
    at: usize,
    allowed: &'a [String],
}

impl Reader<'_> {
    fn any(&mut self) -> anyhow::Result<bool> {
        let mut verdict = self.all()?;
        while self.take("OR") {
            verdict |= self.all()?;
        }
        Ok(verdict)
    }

    fn all(&mut self) -> anyhow::Result<bool> {
        let mut verdict = self.one()?;
        while self.take("AND") {
            verdict &= self.one()?;
        }
        Ok(verdict)
    }

    fn one(&mut self) -> anyhow::Result<bool> {
        if self.take("(") {
            let verdict = self.any()?;
            ensure!(self.take(")"), "a bracket stays open");
            return Ok(verdict);
        }
        let mut name = self.name()?.to_owned();
        if self.take("WITH") {
            name = format!("{name} WITH {}", self.name()?);
        }
        Ok(self.allowed.contains(&name))
    }

    fn name(&mut self) -> anyhow::Result<&str> {
        match self.words.get(self.at) {
            Some(&word) if !["(", ")", "AND", "OR", "WITH"].contains(&word) => {
                self.at += 1;
                Ok(word)
            }
            _ => bail!("a licence is missing"),
        }
    }

    fn take(&mut self, word: &str) -> bool {
        let found = self.words.get(self.at) == Some(&word);
        self.at += usize::from(found);
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(expression: &str, verdict: Option<bool>) {
        let allowed = ["MIT", "ISC", "Unicode-3.0", "Apache-2.0 WITH LLVM-exception"].map(str::to_owned);
        assert_eq!(satisfied(expression, &allowed).ok(), verdict, "{expression}");
    }

    #[test]
    fn one_choice_is_enough() {
        check("MIT", Some(true));
        check("GPL-3.0", Some(false));
        check("MIT OR GPL-3.0", Some(true));
        check("GPL-3.0/MIT", Some(true));
        check("GPL-3.0 / LGPL-3.0", Some(false));
    }

    #[test]
    fn every_part_is_needed() {
        check("MIT AND ISC", Some(true));
        check("MIT AND GPL-3.0", Some(false));
        check("(MIT OR Apache-2.0) AND Unicode-3.0", Some(true));
        check("(MIT OR Apache-2.0) AND GPL-3.0", Some(false));
    }

    #[test]
    fn and_binds_tighter_than_or() {
        check("MIT OR GPL-3.0 AND AGPL-3.0", Some(true));
        check("GPL-3.0 AND MIT OR AGPL-3.0", Some(false));
    }

    #[test]
    fn an_exception_belongs_to_its_licence() {
        check("Apache-2.0 WITH LLVM-exception", Some(true));
        check("Apache-2.0", Some(false));
        check("MIT WITH LLVM-exception", Some(false));
    }

    #[test]
    fn what_cannot_be_read_is_no_licence() {
        for broken in ["", "OR", "MIT OR", "(MIT", "MIT)", "MIT ISC", "WITH MIT", "AND MIT"] {
            check(broken, None);
        }
    }
}
