//! The grammar of lines that PowerShell takes for commands and their words, and nothing else.
//!
//! ```text
//! line    = command { ( ";" | "|" | "&" | newline )+ command }
//! command = word { blank word }
//! word    = { letter | digit | "-" | "_" | "." | "," | ":" | "\" | "/" | "=" | "+" | "?" | "*" | "~" | "^" }
//! ```
//!
//! There are no quotes, variables, blocks, types or comments in it, nor any letter that PowerShell might take for one of
//! its marks because it looks like it.
//!
//! What PowerShell does itself may change what the other commands of the line are: `Set-Alias cargo x`, or `sc env:PATH .`,
//! for variables, functions and aliases are files on drives of their own. On a line of several commands those of its own are
//! taken for harmless only if they are named [here](SHOWS), and name no drive and no variable. It has not been tried with a
//! PowerShell.

use super::command::Command;

/// What PowerShell does itself under a name without a `-`, in one of its versions.
const SHORT: &str = ". ? ac asnp cat cd cd.. cfs chdir clc clear clhy cli clp cls clv cnsn compare copy cp cpi cpp curl \
    cvpa dbp del diff dir dnsn ebp echo epal epcsv epsn erase etsn exit exsn fc fhx fl foreach ft fw gal gbp gc gcb gci gcm gcs \
    gdr gerr ghy gi gin gjb gl gm gmo gp gps gpv group gsn gsnp gsv gtz gu gv gwmi h help history icm iex ihy ii importsystemmodules \
    ipal ipcsv ipmo ipsn irm ise iwmi iwr kill lp ls man md measure mi mkdir more mount move mp mv nal ndr ni nmo npssc nsn nv \
    ogv oh oss pause popd prompt ps pushd pwd r rbp rcjb rcsn rd rdr ren return ri rjb rm rmdir rmo rni rnp rp rsn rsnp rujb rv \
    rvpa rwmi sajb sal saps sasv sbp sc scb select set shcm si sl sleep sls sort sp spjb spps spsv start stz sujb sv swmi \
    tabexpansion tabexpansion2 tee throw trap trcm type using wget where wjb write";

/// What of its own only shows something, waits, or goes to another folder.
const SHOWS: &str = "cat cd clear cls compare compare-object diff dir echo fl format-list format-table format-wide ft fw gc gci \
    gcm get-childitem get-command get-content get-date get-item get-location get-member get-process gi gl gm gps group \
    group-object join-path ls measure measure-object out-host out-null out-string oh pop-location popd ps push-location pushd pwd \
    resolve-path select select-object select-string set-location sl sleep sls sort sort-object split-path start-sleep test-path \
    type where where-object write write-host write-output";

/// The commands of a line, at least one, if it is certain that it runs no others.
pub(super) fn commands(line: &str) -> Option<Vec<Command>> {
    let line = line.replace("\r\n", "\n");
    let is_word = |c: char| c.is_ascii_alphanumeric() || "-_.,:\\/=+?*~^".contains(c);
    let is_end = |c: char| matches!(c, ';' | '|' | '&' | '\n');
    if !line.chars().all(|c| is_word(c) || is_end(c) || matches!(c, ' ' | '\t')) {
        return None;
    }
    let commands = line.split(is_end).map(|command| command.split_ascii_whitespace().collect::<Vec<_>>());
    let commands: Vec<Vec<&str>> = commands.filter(|words| !words.is_empty()).collect();
    let is_alone = commands.len() == 1;
    let read = |words: &Vec<&str>| Command::plain(words, !is_alone && alters(words));
    (!commands.is_empty()).then(|| commands.iter().map(read).collect())
}

/// Whether it may change what other commands of the line are.
fn alters(words: &[&str]) -> bool {
    let name = words[0].to_ascii_lowercase();
    // It may say which module it is from.
    let name = name.rsplit(['\\', '/']).next().unwrap_or_default();
    let is_one_of = |names: &str| names.split(' ').any(|it| it == name);
    let is_own = is_one_of(SHORT) || name.contains('-') && !name.ends_with(".exe");
    let names_drive = |word: &&str| word.find(':').is_some_and(|at| at != 1);
    let names_variable = |word: &&str| word.starts_with('-') && word.contains(['v', 'V']);
    is_own && (!is_one_of(SHOWS) || words[1..].iter().any(|word| names_drive(word) || names_variable(word)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powershell_has_a_grammar_of_its_own() {
        for (line, commands_of_it) in [
            ("dir", Some(vec!["dir"])),
            (r"dir  C:\;rm x", Some(vec![r"dir C:\", "rm x"])),
            ("dir | sort && rm\tx\r\nls", Some(vec!["dir", "sort", "rm x", "ls"])),
            ("Get-ChildItem -Path . -Filter *.rs", Some(vec!["Get-ChildItem -Path . -Filter *.rs"])),
            ("", None),
            (";", None),
            ("dir \u{201c};rm x", None),
            ("dir \u{2019};rm x", None),
            ("dir \u{2013}x", None),
            ("dir\u{a0}x", None),
            ("dir\u{85}rm x", None),
            ("dir\rrm x", None),
            ("dir `;rm x", None),
            ("dir $(rm x)", None),
            ("dir # x", None),
            ("dir > x", None),
            ("dir --% ; x", None),
            ("ls | % x", None),
            ("[io.file]::delete", None),
        ] {
            let read = commands(line).map(|it| it.iter().flat_map(Command::readings).collect::<Vec<_>>());
            assert_eq!(read, commands_of_it.map(|it| it.iter().map(ToString::to_string).collect()), "{line}");
        }
    }

    #[test]
    fn what_powershell_does_itself_may_change_the_rest_of_the_line() {
        for (line, alters) in [
            ("cargo build; cargo test", false),
            ("dir; cd C:\\x; cargo test | Select-String x", false),
            ("docker-compose.exe up; dir", false),
            ("Set-Alias cargo x", false),
            ("Set-Alias cargo x; cargo test", true),
            ("sc env:PATH .; cargo test", true),
            ("cargo test | Set-Content function:x", true),
            ("Microsoft.PowerShell.Utility\\New-Alias cargo x; cargo test", true),
            ("cd alias:; dir", true),
            ("dir -OutVariable x; dir", true),
            ("dir; . x", true),
            ("dir; docker-compose up", true),
            ("ls | foreach Delete", true),
        ] {
            let commands = commands(line).unwrap();
            assert_eq!(commands.iter().any(Command::alters_shell), alters, "{line}");
        }
    }
}
