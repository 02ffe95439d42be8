//! An answer that is an error.

use hyper::header::{HeaderName, HeaderValue};
use serde::Deserialize;
use serde::de::{self, MapAccess, Visitor, value::MapAccessDeserializer};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt;

/// An answer that is an error.
#[derive(Clone, Debug)]
pub(crate) struct Fail {
    pub(crate) status: u16,
    pub(crate) body: Value,
    pub(crate) headers: BTreeMap<String, String>,
}

impl Fail {
    /// An error of this kind, in these words.
    pub(crate) fn new(status: u16, kind: &str, message: &str) -> Self {
        let body = json!({"type": "error", "error": {"type": kind, "message": message}});
        Fail { status, body, headers: BTreeMap::new() }
    }

    /// The script has no answer, and trying again would not help.
    pub(crate) fn of_script(why: &str) -> Self {
        let headers = BTreeMap::from([("x-should-retry".to_owned(), "false".to_owned())]);
        Fail { headers, ..Fail::new(400, "invalid_request_error", why) }
    }
}

/// What the API calls the error of a status.
pub(crate) fn kind_of(status: u16) -> &'static str {
    match status {
        401 => "authentication_error",
        402 => "billing_error",
        403 => "permission_error",
        404 => "not_found_error",
        413 => "request_too_large",
        429 => "rate_limit_error",
        504 => "timeout_error",
        529 => "overloaded_error",
        400..500 => "invalid_request_error",
        _ => "api_error",
    }
}

/// The status that an error of this kind has.
pub(crate) fn status_of(kind: &str) -> u16 {
    (400..600).find(|status| kind_of(*status) == kind).unwrap_or(500)
}

/// What the API says about the error of a status, or nearly.
pub(crate) fn words_of(status: u16) -> &'static str {
    match status {
        401 => "invalid x-api-key",
        402 => "Your credit balance is too low to access the API",
        403 => "Your API key does not have permission to use the specified resource",
        404 => "Not found",
        413 => "Request exceeds the maximum size",
        429 => "This request would exceed your account's rate limit. Please try again later.",
        504 => "Request timed out",
        529 => "Overloaded",
        400..500 => "The request was refused, as the script says",
        _ => "Internal server error",
    }
}

const HEADER: &str = "a header has a name such as \"retry-after\", and a value in one line of plain ASCII";

/// Whether all of them can be sent.
pub(super) fn check_headers(headers: &BTreeMap<String, String>) -> Result<(), &'static str> {
    let good = |(name, value): (&String, &String)| {
        HeaderName::try_from(name).is_ok() && HeaderValue::try_from(value).is_ok()
    };
    if headers.iter().all(good) { Ok(()) } else { Err(HEADER) }
}

impl<'de> Deserialize<'de> for Fail {
    fn deserialize<D: de::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(FailVisitor)
    }
}

struct FailVisitor;

impl<'de> Visitor<'de> for FailVisitor {
    type Value = Fail;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("`fail` as a status such as 529, or as { status = 429, retry_after = 1 }")
    }

    fn visit_i64<E: de::Error>(self, status: i64) -> Result<Fail, E> {
        RawFail { status, ..RawFail::default() }.fail().map_err(E::custom)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Fail, A::Error> {
        RawFail::deserialize(MapAccessDeserializer::new(map))?.fail().map_err(de::Error::custom)
    }
}

/// An error as it is written.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawFail {
    status: i64,
    r#type: Option<String>,
    message: Option<String>,
    retry_after: Option<u64>,
    #[serde(default)]
    headers: BTreeMap<String, String>,
}

impl RawFail {
    fn fail(self) -> Result<Fail, &'static str> {
        let status = u16::try_from(self.status).ok().filter(|status| (400..600).contains(status));
        let status = status.ok_or("the status of an error is from 400 to 599")?;
        let kind = self.r#type.unwrap_or_else(|| kind_of(status).to_owned());
        let message = self.message.unwrap_or_else(|| words_of(status).to_owned());
        let mut headers = self.headers;
        headers.extend(self.retry_after.map(|time| ("retry-after".to_owned(), time.to_string())));
        check_headers(&headers)?;
        Ok(Fail { headers, ..Fail::new(status, &kind, &message) })
    }
}
