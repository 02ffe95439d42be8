//! What was found in one stream.

use std::cell::RefCell;
use std::fmt;
use std::panic::{self, AssertUnwindSafe};

/// Faults of ours, and notes about a stream, in the order they were found.
#[derive(Default)]
pub(crate) struct Findings {
    found: Vec<Finding>,
    property: &'static str,
}

struct Finding {
    property: &'static str,
    fault: bool,
    text: String,
}

impl Findings {
    /// Checks a property; a panic is a fault.
    pub(crate) fn try_out(&mut self, property: &'static str, check: impl FnOnce(&mut Self)) {
        self.property = property;
        if panic::catch_unwind(AssertUnwindSafe(|| check(self))).is_err() {
            self.fault(LAST_PANIC.take());
        }
    }

    /// The property does not hold.
    pub(crate) fn fault(&mut self, text: String) {
        self.found.push(Finding { property: self.property, fault: true, text });
    }

    /// Something to know about the stream.
    pub(crate) fn note(&mut self, text: String) {
        self.found.push(Finding { property: self.property, fault: false, text });
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    pub(crate) fn faults(&self) -> usize {
        self.found.iter().filter(|it| it.fault).count()
    }

    pub(crate) fn notes(&self) -> usize {
        self.found.len() - self.faults()
    }
}

/// More of them would say no more about one stream.
const SHOWN: usize = 5;

impl fmt::Display for Findings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (faults, notes): (Vec<_>, Vec<_>) = self.found.iter().partition(|it| it.fault);
        for (word, all) in [("FAULT", faults), ("note", notes)] {
            for Finding { property, text, .. } in all.iter().take(SHOWN) {
                writeln!(f, "  {word}: {property}: {text}")?;
            }
            if all.len() > SHOWN {
                writeln!(f, "  {word}: and {} more", all.len() - SHOWN)?;
            }
        }
        Ok(())
    }
}

thread_local! {
    static LAST_PANIC: RefCell<String> = const { RefCell::new(String::new()) };
}

/// From now on a panic is kept for the report instead of printed.
pub(crate) fn keep_panics() {
    panic::set_hook(Box::new(|info| LAST_PANIC.set(info.to_string())));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_a_fault_and_the_rest_goes_on() {
        let mut findings = Findings::default();
        findings.try_out("first", |_| panic!("broken"));
        findings.try_out("second", |findings| findings.note("odd".into()));
        assert_eq!((findings.faults(), findings.notes()), (1, 1));
        assert!(findings.to_string().contains("note: second: odd"), "{findings}");
    }
}
