//! The list of docs/redact.md, with how often what is on it is found: counted on secrets that are made up, each kind so often.

use std::fmt::Write;
use std::fs;
use std::path::Path;
use unspool_redact::Masks;
use unspool_redact::properties::{Dice, KINDS};

/// Each kind so often, each time in other words.
const EACH: usize = 100;

/// What stands around them.
const AROUND: &[(&str, &str)] = &[
    ("", ""),
    ("the key is ", " and no other"),
    ("export KEY='", "'\n"),
    ("{\"key\": \"", "\"}"),
    ("(", ")"),
    ("\u{1b}[32m", "\u{1b}[0m"),
];

/// What looks like a secret and is none.
const NONE: &[&str] = &[
    "msg_01XFDUDYJgAACzvnptvVoYEL",
    "toolu_01A09q90qw90lq917835lq9",
    "req_011CSHoEeqs5C35K2UUqR7Fy",
    "0d0c9a3e-7f1b-4f1e-9a57-2f1c52a2b6a1",
    "c8d211ad5d3f7f0b1b8a1ed0d6f4d4f0a3b2c1d0",
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "sha512-9s8Ns7wq0hsP2Rk9a1nm0qDJb8vYj3F6tEsQo8v2C4rN1w5xK7uLzXpMgTbHdVyRfWcJeAaBqZnUoPiQsDlKgA==",
    "EqQBCgIYAhIM1gbcDa9GJwZA2b3hGgxBdjrkzLoky3dl1pkiMOYds0RkAKhQ3LbZ",
    "Authorization: Bearer $TOKEN",
    "Authorization: Bearer <token>",
    "'Authorization': `Bearer ${token}`",
    "\"x-api-key\": apiKey2,",
    "x-api-key: YOUR_API_KEY",
    "the bearer token of the request",
    "cookie: req.headers.cookie",
    "https://example.com/a:b@c",
    "https://user:$PASSWORD@example.com",
    "git@github.com:unspool/unspool.git",
    "https://example.com/?key=value&token=abc",
    "https://example.com/search?q=token&page=2",
    "-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE\n-----END PUBLIC KEY-----",
    "-----BEGIN CERTIFICATE-----\nMIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0BAQUFADBaMQswCQYDVQQGEwJJ",
    "a file that begins with -----BEGIN PRIVATE KEY----- is a key",
    "sk-learn, sk-image and sk-toggleable__content",
    "npm_config_registry=https://registry.npmjs.org/",
    "hf_hub_download, hf_transfer",
    "pk_test_1234, sk_test_short",
    "process.env.API_TOKEN, os.environ['TOKEN']",
    "AKIAIOSFODNN7",
    "max_tokens=32000, token_count=12",
];

#[test]
fn the_list_of_the_documentation_says_how_often_each_kind_is_found() {
    let mut list = String::from("| kind | made up | found |\n|---|---|---|\n");
    for (number, kind) in KINDS.iter().enumerate() {
        let found = (0..EACH).filter(|round| {
            let made = kind.make(&mut Dice::new((number * EACH + round) as u64 + 1));
            let (before, behind) = AROUND[round % AROUND.len()];
            let text = format!("{before}{}{behind}", made.text);
            let masked = Masks::new().text(&text).into_owned();
            // What stands around is left alone.
            made.secret.iter().all(|secret| !masked.contains(secret))
                && masked.starts_with(before)
                && masked.ends_with(behind)
        });
        let _ = writeln!(list, "| {} | {EACH} | {} |", kind.name, found.count());
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/redact.md");
    let documentation = fs::read_to_string(path).unwrap();
    assert!(documentation.contains(&list), "docs/redact.md does not have this table:\n{list}");
}

#[test]
fn what_only_looks_like_a_secret_is_left_alone() {
    for text in NONE {
        assert_eq!(Masks::new().text(text), *text);
    }
}
