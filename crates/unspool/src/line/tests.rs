//! Lines, however their bytes are cut.

use super::*;

/// Every cut of the bytes must give the same lines.
fn check(bytes: &[u8], limit: usize, lines: &[&str]) {
    for size in 1..=bytes.len().max(1) {
        let mut got = Vec::new();
        let mut cutter = Lines::new(limit);
        let mut show = |line: Line<'_>| {
            let long = if line.is_too_long() { format!("…{}", line.length) } else { String::new() };
            let mark = if line.end == End::Stream { format!("{long}$") } else { long };
            got.push(format!("{}:{}{mark}", line.number, line.text().replace('\n', "|")));
        };
        for piece in bytes.chunks(size) {
            cutter.feed(piece, |_| {}, &mut show);
        }
        cutter.finish(&mut show);
        assert_eq!(got, lines, "in pieces of {size}");
    }
}

#[test]
fn lines_are_cut_at_newlines_alone() {
    check("a\u{2028}b\u{85}c\r\n\n\u{feff}d\n".as_bytes(), 99, &["1:a\u{2028}b\u{85}c", "2:", "3:d"]);
    check(b"", 99, &[]);
    check(b"a\nb", 99, &["1:a", "2:b$"]);
    check(b"\xff\xfe\n", 99, &["1:\u{fffd}\u{fffd}"]);
}

#[test]
fn a_line_beyond_the_limit_is_passed_over() {
    check(b"abcd\nabcde\nab\n", 4, &["1:abcd", "2:abcd…5", "3:ab"]);
    check(b"abcdefgh", 4, &["1:abcd…8$"]);
}

#[test]
fn an_object_over_several_lines_is_one() {
    check(b"{\n  \"a\": 1\n}\n{\"b\":2}\n", 99, &["1:{|  \"a\": 1|}", "4:{\"b\":2}"]);
    check(b"{\n}", 99, &["1:{|}$"]);
    check("\u{feff}{\r\n\"a\":1\r\n}\r\n".as_bytes(), 99, &["1:{\r|\"a\":1\r|}"]);
}

#[test]
fn an_object_that_does_not_end_is_lines() {
    check(b"{\n  \"a\": 1\n", 99, &["1:{", "2:\"a\": 1"]);
    check(b"{\n  \"a\": 1\n  \"b", 99, &["1:{", "2:\"a\": 1", "3:\"b$"]);
    check(b"{\nx\n}\n", 99, &["1:{", "2:x", "3:}"]);
    check(b"{\n{\"a\":1}\n{\"b\":2}\n", 99, &["1:{", "2:{\"a\":1}", "3:{\"b\":2}"]);
}

#[test]
fn each_object_of_a_list_is_a_line() {
    check(b"[{\"a\":1},{\"b\":2}]\n{\"c\":3}\n", 99, &["1:{\"a\":1}", "1:{\"b\":2}", "2:{\"c\":3}"]);
    check(b"[\n{\"a\":1},\r\n{\"b\":2}\n]", 99, &["2:{\"a\":1}", "3:{\"b\":2}"]);
    check(
        "\u{feff}[\n  {\n    \"a\": [{}, \"]}\\\"\"]\n  },\n  {}\n]\n\nx\n".as_bytes(),
        99,
        &["2:{|    \"a\": [{}, \"]}\\\"\"]|  }", "5:{}", "7:", "8:x"],
    );
    check(b" \t[{\"a\":1}, {}]\n", 99, &["1:{\"a\":1}", "1:{}"]);
    check("\u{feff} \n  [\n{\"a\":1}\n  ]".as_bytes(), 99, &["1:", "3:{\"a\":1}"]);
    check(b"x\n[{\"a\":1}][{\"b\":2}] y\n", 99, &["1:x", "2:{\"a\":1}", "2:{\"b\":2}", "2:y"]);
}

#[test]
fn an_element_that_is_no_object_is_a_line_too() {
    check(
        b"[{\"a\":1}, 1,\"]\",[2],null ,tr\nue]\n",
        99,
        &["1:{\"a\":1}", "1:1", "1:\"]\"", "1:[2]", "1:null", "1:tr", "1:[", "2:ue]"],
    );
}

#[test]
fn a_list_that_is_cut_ends_with_the_stream() {
    check(b"[\n  {\"a\": 1},\n  {\"b\":\n", 99, &["2:{\"a\": 1}", "3:{\"b\":$"]);
    check(b"[{\"a\": 1},", 99, &["1:{\"a\": 1}", "1:[$"]);
    check(b"[\n{\"a\": 1}\n", 99, &["2:{\"a\": 1}", "1:[$"]);
    check(b"[{\"a\": 1", 99, &["1:{\"a\": 1$"]);
}

#[test]
fn what_only_looks_like_a_list_is_lines() {
    for text in ["[]", "[1,2]", "[INFO] x", "[", "[ { x", "[\n\n {\n]", "[{]"] {
        let lines: Vec<_> =
            text.split('\n').zip(1..).map(|(line, number)| format!("{number}:{line}")).collect();
        let expected: Vec<_> = lines.iter().map(|line| line.replace(": ", ":")).collect();
        check(format!("{text}\n").as_bytes(), 99, &expected.iter().map(|line| &**line).collect::<Vec<_>>());
    }
    check(b"  [INFO] x\n \n\t[1]\n  ", 99, &["1:[INFO] x", "2:", "3:[1]", "4:$"]);
    check(&[&b" ".repeat(257)[..], b"[{}]\n"].concat(), 999, &["1:[{}]"]);
    check(&[&b" ".repeat(256)[..], b"[{}]\n"].concat(), 999, &["1:{}"]);
    check(b"[{\"a\":x\n{\"b\":2}\n{}\n", 99, &["1:[{\"a\":x", "2:{\"b\":2}", "3:{}"]);
    check(b"[\n{\"a\":1}\n{\"b\":2}\n", 99, &["2:{\"a\":1}", "1:[", "3:{\"b\":2}"]);
    check(b"[{\"a\":1},{\"b\nc\n", 99, &["1:{\"a\":1}", "1:[", "1:{\"b", "2:c"]);
    check(b"{\n[{\"a\":1}]\n}\n", 99, &["1:{", "2:[{\"a\":1}]", "3:}"]);
    check(b"[{\"a\n{}\n", 99, &["1:[{\"a", "2:{}"]);
}

#[test]
fn the_margin_of_a_line_is_a_part_of_it() {
    let text = b"  [INFO] x\n\t {\"a\":1}\n \xef\xbb\xbf[{}]\n";
    for size in 1..=text.len() {
        let mut got = Vec::new();
        let mut cutter = Lines::new(99);
        for piece in text.chunks(size) {
            cutter.feed(piece, |_| {}, |line| got.extend([line.bytes, b"\n"].concat()));
        }
        assert_eq!(got, text, "in pieces of {size}");
    }
}

#[test]
fn an_element_beyond_the_limit_is_passed_over() {
    check(b"[{\"a\":1},{\"b\":234},{}]\n", 8, &["1:{\"a\":1}", "1:{\"b\":234…9", "1:{}"]);
}
