//! The grammar of lines that bash, dash and zsh read in the same way.
//!
//! ```text
//! line        = gap list
//! list        = pipeline { ( ";" | "&" | newline | "&&" | "||" ) gap pipeline } [ ";" | "&" | newline ] gap
//! pipeline    = [ "!" blank ] stage { "|" gap stage }
//! stage       = simple | ( "(" gap list ")" | "{" blank gap list "}" ) { redirection }
//! simple      = { redirection } word { word | redirection }
//! redirection = [ digit ] ( ">" | ">>" | "<" ) "/dev/null" | [ digit ] ">&" ( digit | "-" )
//!             | ( "&>" | "&>>" ) "/dev/null", behind which there are no words
//! gap         = { blank | newline | comment }
//! ```
//!
//! Between the parts there may be blanks, where a shell allows them. All else is refused: above all substitutions,
//! here-documents, files, continued lines, functions and whatever begins with a reserved word.

use super::command::Command;
use super::word::Rest;

/// How many groups may be in each other; nobody writes more.
const DEEPEST: usize = 8;

/// The commands of a line, at least one, if it is certain that it runs no others.
pub(super) fn commands(line: &str) -> Option<Vec<Command>> {
    let mut reader = Reader { rest: Rest(line), commands: Vec::new() };
    reader.gap()?;
    reader.list(0)?;
    reader.rest.0.is_empty().then_some(reader.commands)
}

struct Reader<'a> {
    rest: Rest<'a>,
    commands: Vec<Command>,
}

/// Whether the last command of a list is followed by something that ends it.
#[derive(PartialEq)]
enum Last {
    Ended,
    Open,
}

impl Reader<'_> {
    fn list(&mut self, depth: usize) -> Option<Last> {
        loop {
            self.pipeline(depth)?;
            self.rest.blanks();
            self.comment()?;
            let must_go_on = match self.rest.peek() {
                None | Some(')') => return Some(Last::Open),
                Some(';' | '\n') => {
                    self.rest.next();
                    false
                }
                Some('&' | '|') if self.rest.take("&&") || self.rest.take("||") => true,
                // Directly behind it zsh takes `!` and `|` for a part of it.
                Some('&') => {
                    self.rest.next();
                    if !self.rest.peek().is_none_or(|c| matches!(c, ' ' | '\t' | '\n' | ')')) {
                        return None;
                    }
                    false
                }
                Some(_) => return None,
            };
            self.gap()?;
            if !must_go_on && matches!(self.rest.peek(), None | Some(')' | '}')) {
                return Some(Last::Ended);
            }
        }
    }

    fn pipeline(&mut self, depth: usize) -> Option<()> {
        if self.rest.take("!") && !self.rest.blanks() {
            return None;
        }
        self.stage(depth)?;
        loop {
            self.rest.blanks();
            if self.rest.0.starts_with("||") || !self.rest.take("|") {
                return Some(());
            }
            self.gap()?;
            self.stage(depth)?;
        }
    }

    fn stage(&mut self, depth: usize) -> Option<()> {
        match self.rest.peek()? {
            '(' | '{' if depth == DEEPEST => None,
            '(' => {
                self.rest.next();
                // Two of them compute, and zsh reads flags of patterns behind one.
                if matches!(self.rest.peek()?, '(' | '#') {
                    return None;
                }
                self.gap()?;
                self.list(depth + 1)?;
                self.rest.take(")").then_some(())?;
                self.redirections()
            }
            '{' => {
                self.rest.next();
                matches!(self.rest.peek()?, ' ' | '\t' | '\n').then_some(())?;
                self.gap()?;
                let last = self.list(depth + 1)?;
                (last == Last::Ended && self.rest.take("}")).then_some(())?;
                self.redirections()
            }
            _ => self.simple(),
        }
    }

    /// Redirections of a group.
    fn redirections(&mut self) -> Option<()> {
        let mut opened = Opened::default();
        if !self.rest.is_at_end_of_word() {
            return None;
        }
        loop {
            let behind_blank = self.rest.blanks();
            if self.redirection(&mut opened, behind_blank)?.is_none() {
                return Some(());
            }
        }
    }

    fn simple(&mut self) -> Option<()> {
        let (mut words, mut opened) = (Vec::new(), Opened::default());
        let mut behind_blank = true;
        loop {
            if self.redirection(&mut opened, behind_blank)?.is_none() {
                match self.rest.word()? {
                    // Whether the digit is a part of the redirection is not the same in all shells.
                    Some(word)
                        if word.text.ends_with(|c: char| c.is_ascii_digit()) && self.is_redirected() =>
                    {
                        return None;
                    }
                    // To dash the line is another command from there on.
                    Some(_) if opened.all => return None,
                    Some(word) => words.push(word),
                    None => break,
                }
            }
            behind_blank = self.rest.blanks();
        }
        self.commands.push(Command::of(words)?);
        Some(())
    }

    fn is_redirected(&self) -> bool {
        matches!(self.rest.peek(), Some('<' | '>'))
    }

    /// Takes a redirection that does nothing but hide or mix what is printed; `Some(None)` if there is none here.
    fn redirection(&mut self, opened: &mut Opened, behind_blank: bool) -> Option<Option<()>> {
        let before = self.rest;
        if self.rest.take("&>") {
            self.rest.take(">");
            opened.all = true;
            return (behind_blank && self.is_nowhere()).then_some(Some(()));
        }
        let digit = self.rest.peek().filter(char::is_ascii_digit);
        if digit.is_some() {
            self.rest.next();
        }
        if !self.is_redirected() {
            self.rest = before;
            return Some(None);
        }
        if self.rest.take(">&") {
            let source = self.rest.next()?;
            let is_known = matches!(source, '1' | '2' | '-') || opened.files.contains(&source);
            opened.files.push(digit.unwrap_or('1'));
            return (is_known && self.ends_here()).then_some(Some(()));
        }
        let is_operator = self.rest.take(">>") || self.rest.take(">") || self.rest.take("<");
        (is_operator && self.is_nowhere()).then_some(Some(()))
    }

    fn is_nowhere(&mut self) -> bool {
        self.rest.blanks();
        self.rest.take("/dev/null") && self.ends_here()
    }

    /// Whether the word ends, and not by another redirection: what is before that may belong to it.
    fn ends_here(&self) -> bool {
        self.rest.is_at_end_of_word() && !self.is_redirected()
    }

    /// Blanks, comments and ends of lines.
    fn gap(&mut self) -> Option<()> {
        loop {
            self.rest.blanks();
            self.comment()?;
            if !self.rest.take("\n") {
                return Some(());
            }
        }
    }

    /// A comment that means nothing to a shell, not even to one that does not take it for a comment.
    fn comment(&mut self) -> Option<()> {
        if self.rest.peek() != Some('#') {
            return Some(());
        }
        let length = self.rest.0.find('\n').unwrap_or(self.rest.0.len());
        let (comment, behind) = self.rest.0.split_at(length);
        let means_nothing =
            |c: char| c == ' ' || c == '\t' || c.is_alphanumeric() || "#!%*+,-./:=?@[]^_~".contains(c);
        self.rest.0 = behind;
        comment.chars().all(means_nothing).then_some(())
    }
}

/// What the redirections of a command have opened so far.
#[derive(Default)]
struct Opened {
    files: Vec<char>,
    /// By `&>`.
    all: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the commands of a line are, without what does no harm in front of them.
    fn read(line: &str) -> Option<Vec<String>> {
        Some(commands(line)?.iter().map(|command| command.readings().last().unwrap()).collect())
    }

    #[test]
    fn plain_lines_are_taken_apart() {
        for (line, commands_of_it) in [
            ("cargo test", vec!["cargo test"]),
            ("cargo test && cargo fmt; ls", vec!["cargo test", "cargo fmt", "ls"]),
            ("cargo test 2>&1 | tail -5", vec!["cargo test", "tail -5"]),
            ("cargo test >/dev/null 2>&1", vec!["cargo test"]),
            ("cargo test &>/dev/null; ls &>> /dev/null", vec!["cargo test", "ls"]),
            ("cargo test < /dev/null 2>> /dev/null", vec!["cargo test"]),
            ("3>&1 1>&2 2>&3 cargo test", vec!["cargo test"]),
            ("cargo test>/dev/null", vec!["cargo test"]),
            ("sleep 1 &\nls", vec!["sleep 1", "ls"]),
            ("cargo test # all of them", vec!["cargo test"]),
            ("# first\ncargo test\n#then\nls;#x", vec!["cargo test", "ls"]),
            ("\n\ncargo test ||\n\n ls\n", vec!["cargo test", "ls"]),
            ("! cargo test | ls", vec!["cargo test", "ls"]),
            ("(cargo test; ls) 2>&1", vec!["cargo test", "ls"]),
            ("{ cargo test; ls\n} >/dev/null && { ls; }", vec!["cargo test", "ls", "ls"]),
            ("( (cargo test) )", vec!["cargo test"]),
            ("RUST_LOG=a=debug RUST_BACKTRACE=\"1\" cargo test", vec!["cargo test"]),
            ("A=1 RUST_BACKTRACE=1 cargo test", vec!["A=1 RUST_BACKTRACE=1 cargo test"]),
            ("time cargo test", vec!["cargo test"]),
            ("timeout 60 nice -n 5 env RUST_LOG=1 stdbuf -oL cargo test", vec!["cargo test"]),
            ("timeout 1.5m cargo test", vec!["cargo test"]),
            ("command cargo test", vec!["cargo test"]),
            ("timeout -s KILL 5 cargo test", vec!["timeout -s KILL 5 cargo test"]),
            ("nice -20 cargo test", vec!["nice -20 cargo test"]),
            ("time -o x cargo test", vec!["time -o x cargo test"]),
            ("env -S x cargo test", vec!["env -S x cargo test"]),
            ("env PATH=x cargo test", vec!["env PATH=x cargo test"]),
            ("printf %s a", vec!["printf %s a"]),
            ("export PATH=.", vec!["export PATH=."]),
        ] {
            assert_eq!(read(line), Some(commands_of_it.iter().map(ToString::to_string).collect()), "{line}");
        }
    }

    #[test]
    fn what_alters_the_shell_is_known_whatever_stands_in_front() {
        for (line, alters) in [
            ("cargo test", false),
            ("command printf %s x", false),
            ("RUST_LOG=1 cd sub", false),
            ("A=1 cargo test", false),
            ("printf -v x y", true),
            ("command printf -v x y", true),
            ("time command export PATH=.", true),
            ("time -p export PATH=.", true),
            ("timeout 9 time -p cargo test", true),
            ("RUST_LOG=1 export PATH", true),
            ("A=1 :", true),
            ("A=1 command cargo", true),
        ] {
            let commands = commands(line).unwrap();
            assert_eq!(commands.iter().any(Command::alters_shell), alters, "{line}");
        }
    }

    #[test]
    fn what_may_run_more_is_not_understood() {
        for line in [
            "",
            " ",
            "# a",
            "cargo test $(rm -rf x)",
            "cargo test `rm -rf x`",
            "cargo --version \"$\\\n(touch x)\"",
            "cargo test \\\n",
            "cargo test > /etc/passwd",
            "cargo test >/dev/nullx",
            "cargo test >& file",
            "cargo test &>/dev/null rm x",
            "cargo test&>/dev/null",
            "cargo 10>&1",
            "cargo2>&1",
            "cargo 1>&3",
            "cargo 3>&3",
            "cargo 1>&2>&1",
            "cargo >/dev/null<x",
            "cargo <&1",
            "cat <<EOF",
            "cat <<<x",
            "diff <(ls) x",
            "cat < x",
            "((ls))",
            "(#i) ls",
            "()",
            "ls()",
            "{ls; }",
            "{ ls }",
            "{ ls; }x",
            "{ ls; } always { ls; }",
            "(ls) ls",
            "ls }",
            "ls )",
            "ls &&",
            "ls ;; ls",
            "ls & ; ls",
            "ls &! ls",
            "ls &| ls",
            "ls |& ls",
            "| ls",
            "!ls",
            "! ! ls",
            "echo 'open",
            "cargo test # '\nrm -rf x\n# '",
            "cargo test # it's",
            "cargo test # a \\\nrm x",
            "cargo test #$(x)",
            "cargo test # a; b",
            "cargo test\u{a0}# a",
            "cargo test &&\r ls",
            "cargo test\r\nls",
            "if ls",
            "'if' ls",
            "time if ls",
            "time -p while ls",
            "function ls",
            "exec ls",
            "- ls",
            "A=1",
            "A=~ ls",
            "A=$HOME ls",
            "A+=1 ls",
            "a[0]=1 ls",
            "./a=b c",
            "* x",
            "$HOME/x y",
            "\"\" x",
            "( ( ( ( ( ( ( ( (ls) ) ) ) ) ) ) ) )",
        ] {
            assert_eq!(read(line), None, "{line:?}");
        }
    }
}
