//! Shapes by which what is random is known: ids, times, temporary paths.

use super::Origin;

/// What stands for an id.
pub(super) const ID: &str = "<id>";
const TIME: &str = "<time>";
const TEMPORARY: &str = "<temporary>";

/// How far behind the beginning of this word something random stands, how long it is, and what stands for it.
pub(super) fn random(text: &[u8], behind_dash: bool, origin: Origin) -> Option<(usize, usize, &'static str)> {
    let first = *text.first()?;
    if let Some(length) = uuid(text) {
        return Some((0, length, ID));
    }
    if behind_dash {
        return None;
    }
    match first {
        b'/' => temporary(text).map(|(before, length)| (before, length, TEMPORARY)),
        b'0'..=b'9' => {
            let time = date_time(text).or_else(|| clock(text)).or_else(|| epoch(text));
            let time = time.or_else(|| (origin == Origin::Output).then(|| lasted(text)).flatten());
            time.map(|length| (0, length, TIME)).or_else(|| output_file(text).map(|length| (0, length, ID)))
        }
        b'A'..=b'Z' | b'a'..=b'z' | b'_' => named(text, origin),
        _ => None,
    }
}

/// What stands behind a word that says what it is.
fn named(text: &[u8], origin: Origin) -> Option<(usize, usize, &'static str)> {
    if let Some(length) = api_id(text).or_else(|| output_file(text)) {
        return Some((0, length, ID));
    }
    if let Some(length) = day_and_time(text) {
        return Some((0, length, TIME));
    }
    let word = text.iter().take_while(|byte| byte.is_ascii_alphabetic() || **byte == b'_').count();
    let name = str::from_utf8(&text[..word]).ok()?;
    let value = word + separator(&text[word..])?;
    let length = text[value..].iter().take_while(|byte| is_of_name(**byte)).count();
    let said = str::from_utf8(&text[value..value + length]).ok()?;
    if ends_as_id(name) && is_random(said) {
        return Some((value, length, ID));
    }
    let is_length = origin == Origin::Output && (name.ends_with("_ms") || name.ends_with("Ms"));
    (is_length && !said.is_empty() && said.bytes().all(|byte| byte.is_ascii_digit()))
        .then_some((value, length, TIME))
}

/// `: `, `="` and the like between a name and its value.
fn separator(text: &[u8]) -> Option<usize> {
    let is_around = |byte: &u8| matches!(byte, b'"' | b'\'' | b'\\' | b' ' | b'`');
    let before = text.iter().take(3).take_while(|byte| is_around(byte)).count();
    matches!(text.get(before)?, b':' | b'=').then_some(())?;
    let behind = text[before + 1..].iter().take(3).take_while(|byte| is_around(byte)).count();
    Some(before + 1 + behind)
}

/// Whether a name is that of an id.
pub(super) fn ends_as_id(name: &str) -> bool {
    matches!(name, "id" | "Id" | "ID" | "uuid")
        || ["_id", "Id", "_ID", "ID", "_uuid", "Uuid"].iter().any(|end| name.ends_with(end))
}

/// Whether an id was made up, and is no plain number such as that of an issue.
pub(super) fn is_random(id: &str) -> bool {
    id.len() >= 5
        && id.bytes().all(is_of_name)
        && id.bytes().any(|byte| byte.is_ascii_digit())
        && id.bytes().any(|byte| byte.is_ascii_alphabetic())
}

pub(super) fn is_of_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-') || byte >= 0x80
}

fn ends(text: &[u8], length: usize) -> Option<usize> {
    let is_longer = text.get(length).is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    (!is_longer).then_some(length)
}

/// Whether the text begins like this: `0` is a digit, `x` a hexadecimal one, all else itself.
fn fits(text: &[u8], pattern: &[u8]) -> bool {
    text.len() >= pattern.len()
        && pattern.iter().zip(text).all(|(wanted, byte)| match wanted {
            b'0' => byte.is_ascii_digit(),
            b'x' => byte.is_ascii_hexdigit(),
            wanted => wanted == byte,
        })
}

fn uuid(text: &[u8]) -> Option<usize> {
    const UUID: &[u8] = b"xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
    fits(text, UUID).then(|| ends(text, UUID.len())).flatten()
}

/// Ids as the API makes them: `toolu_01…`.
fn api_id(text: &[u8]) -> Option<usize> {
    const KINDS: [&[u8]; 6] = [b"toolu_", b"srvtoolu_", b"msg_", b"req_", b"call_", b"task_"];
    let kind = KINDS.iter().find(|kind| text.starts_with(kind))?;
    let id = text[kind.len()..].iter().take_while(|byte| is_of_name(**byte)).count();
    let id = &text[..kind.len() + id];
    let has_digit = id.iter().any(u8::is_ascii_digit);
    (has_digit && id.len() >= kind.len() + 8).then_some(id.len())
}

/// The file into which a task in the background writes: `b1x2y3.output`.
fn output_file(text: &[u8]) -> Option<usize> {
    let name = text.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
    (name >= 5 && text[name..].starts_with(b".output")).then_some(name)
}

/// `2026-11-19T12:42:11.123Z`, and the same with less.
fn date_time(text: &[u8]) -> Option<usize> {
    let begins = fits(text, b"0000-00-00T00:00") || fits(text, b"0000-00-00 00:00");
    if !begins {
        return None;
    }
    let mut length = 16;
    if fits(&text[length..], b":00") {
        length += 3 + fraction(&text[length + 3..]);
    }
    let zones: [&[u8]; 5] = [b"Z", b"+00:00", b"-00:00", b"+0000", b"-0000"];
    length += zones.iter().find(|zone| fits(&text[length..], zone)).map_or(0, |zone| zone.len());
    ends(text, length)
}

/// `12:42:11`.
fn clock(text: &[u8]) -> Option<usize> {
    let is_time = fits(text, b"00:00:00") && text[0] <= b'2' && text[3] <= b'5' && text[6] <= b'5';
    is_time.then(|| ends(text, 8 + fraction(&text[8..]))).flatten()
}

/// Digits behind a point.
fn fraction(text: &[u8]) -> usize {
    match text {
        [b'.' | b',', digit, ..] if digit.is_ascii_digit() => {
            1 + text[1..].iter().take_while(|byte| byte.is_ascii_digit()).count()
        }
        _ => 0,
    }
}

/// Milliseconds since 1970, of this time.
fn epoch(text: &[u8]) -> Option<usize> {
    (fits(text, b"0000000000000") && matches!(text, [b'1', b'6'..=b'9', ..]))
        .then(|| ends(text, 13))
        .flatten()
}

/// `12 ms`, `0.03s`: whole seconds are too often said on purpose.
fn lasted(text: &[u8]) -> Option<usize> {
    let whole = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let number = whole + fraction(&text[whole..]);
    let space = usize::from(text.get(number) == Some(&b' '));
    let units: &[&[u8]] = if number > whole {
        &[b"ms", b"s", b"sec", b"secs", b"seconds", b"\xc2\xb5s", b"us"]
    } else {
        &[b"ms", b"\xc2\xb5s"]
    };
    let fit = |unit: &&[u8]| {
        text[number + space..].starts_with(unit).then(|| ends(text, number + space + unit.len())).flatten()
    };
    units.iter().find_map(fit)
}

/// `Nov 19 12:42`, `Thu Nov 19 12:42:11`, as `ls` and `date` print them.
fn day_and_time(text: &[u8]) -> Option<usize> {
    const DAYS: [&[u8]; 7] = [b"Mon ", b"Tue ", b"Wed ", b"Thu ", b"Fri ", b"Sat ", b"Sun "];
    const MONTHS: [&[u8]; 12] = [
        b"Jan ", b"Feb ", b"Mar ", b"Apr ", b"May ", b"Jun ", b"Jul ", b"Aug ", b"Sep ", b"Oct ", b"Nov ",
        b"Dec ",
    ];
    let mut at = if DAYS.iter().any(|day| text.starts_with(day)) { 4 } else { 0 };
    MONTHS.iter().find(|month| text[at..].starts_with(month))?;
    at += 4;
    at += usize::from(text.get(at) == Some(&b' '));
    let digits = text[at..].iter().take(2).take_while(|byte| byte.is_ascii_digit()).count();
    at += digits;
    (digits > 0 && text.get(at) == Some(&b' ')).then_some(())?;
    at += 1;
    match clock(&text[at..]) {
        Some(length) => Some(at + length),
        None if fits(&text[at..], b"00:00") => ends(text, at + 5),
        None => None,
    }
}

/// The part of a temporary path that is made up anew each time: where it is, and how long.
fn temporary(text: &[u8]) -> Option<(usize, usize)> {
    const ROOTS: [&[u8]; 6] =
        [b"/tmp/", b"/private/tmp/", b"/var/tmp/", b"/dev/shm/", b"/var/folders/", b"/private/var/folders/"];
    let root = ROOTS.iter().find(|root| text.starts_with(root))?;
    let name = |from: usize| text[from..].iter().take_while(|byte| is_of_path(**byte)).count();
    if root.ends_with(b"folders/") {
        // `/var/folders/ab/cdefgh/T/name`
        let mut at = root.len();
        for _ in 0..4 {
            let length = name(at);
            at += length + usize::from(text.get(at + length) == Some(&b'/'));
        }
        let length = at - root.len() - usize::from(text.get(at - 1) == Some(&b'/'));
        return (length > 0).then_some((root.len(), length));
    }
    let name = &text[root.len()..root.len() + name(root.len())];
    let is_made_up = name.starts_with(b"tmp")
        || name.iter().any(u8::is_ascii_digit)
        || name.iter().any(u8::is_ascii_uppercase);
    is_made_up.then_some((root.len(), name.len()))
}

fn is_of_path(byte: u8) -> bool {
    is_of_name(byte) || matches!(byte, b'.' | b'+' | b'@' | b'~')
}
