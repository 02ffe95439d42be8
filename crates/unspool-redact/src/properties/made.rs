//! Secrets that are made up, of each kind: none of them is anybody's, and none of them stands in a file.
//!
//! What they look like was written down apart from the rules that find them, by what providers document.

/// Numbers that look like chance, the same for a seed.
#[derive(Clone, Debug)]
pub struct Dice(u64);

/// A secret.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Made {
    /// How it stands in a text, with what has to stand beside it.
    pub text: String,
    /// What of it may not survive.
    pub secret: Vec<String>,
}

/// A kind of secret.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Kind {
    /// What it is called.
    pub name: &'static str,
    make: Make,
}

#[derive(Clone, Copy, Debug)]
enum Make {
    /// A beginning, and so many characters of these.
    Plain(&'static str, &'static str, usize),
    /// Something else.
    With(fn(&mut Dice) -> Made),
}

const ALNUM: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const URL: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";
const BASE64: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const HEX: &str = "0123456789abcdef";
const LOWER: &str = "abcdefghijklmnopqrstuvwxyz0123456789";
const BASE32: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const DIGITS: &str = "0123456789";

const fn plain(name: &'static str, begin: &'static str, of: &'static str, length: usize) -> Kind {
    Kind { name, make: Make::Plain(begin, of, length) }
}

const fn with(name: &'static str, make: fn(&mut Dice) -> Made) -> Kind {
    Kind { name, make: Make::With(make) }
}

/// All kinds.
pub const KINDS: &[Kind] = &[
    plain("anthropic key", "sk-ant-api03-", URL, 95),
    plain("anthropic admin key", "sk-ant-admin01-", URL, 95),
    plain("anthropic oauth token", "sk-ant-oat01-", URL, 95),
    plain("openai project key", "sk-proj-", URL, 156),
    plain("openai service key", "sk-svcacct-", URL, 156),
    plain("openai key", "sk-", ALNUM, 48),
    plain("openrouter key", "sk-or-v1-", HEX, 64),
    plain("hugging face token", "hf_", ALNUM, 34),
    plain("groq key", "gsk_", ALNUM, 52),
    plain("aws key id", "AKIA", BASE32, 16),
    plain("aws temporary key id", "ASIA", BASE32, 16),
    plain("google key", "AIza", URL, 35),
    plain("google client secret", "GOCSPX-", URL, 28),
    plain("google token", "ya29.", URL, 120),
    plain("digital ocean token", "dop_v1_", HEX, 64),
    plain("databricks token", "dapi", HEX, 32),
    plain("github token", "ghp_", ALNUM, 36),
    plain("github oauth token", "gho_", ALNUM, 36),
    plain("github app token", "ghs_", ALNUM, 36),
    plain("github fine-grained token", "github_pat_", ALNUM, 82),
    plain("gitlab token", "glpat-", URL, 20),
    plain("gitlab runner token", "glrt-", URL, 20),
    plain("linear key", "lin_api_", ALNUM, 40),
    plain("npm token", "npm_", ALNUM, 36),
    plain("pypi token", "pypi-AgEIcHlwaS5vcmc", URL, 120),
    plain("rubygems key", "rubygems_", HEX, 48),
    plain("docker token", "dckr_pat_", URL, 27),
    plain("slack app token", "xapp-1-A", ALNUM, 60),
    with("slack bot token", slack),
    with("slack webhook", slack_hook),
    with("telegram token", telegram),
    with("discord token", discord),
    plain("twilio key", "SK", HEX, 32),
    with("sendgrid key", sendgrid),
    plain("stripe key", "sk_live_", ALNUM, 24),
    plain("stripe restricted key", "rk_live_", ALNUM, 24),
    plain("stripe webhook secret", "whsec_", ALNUM, 32),
    plain("shopify token", "shpat_", HEX, 32),
    plain("vault token", "hvs.", URL, 95),
    plain("sentry token", "sntryu_", HEX, 64),
    plain("grafana token", "glsa_", ALNUM, 41),
    plain("atlassian token", "ATATT3", URL, 186),
    plain("age key", "AGE-SECRET-KEY-1", BASE32, 58),
    plain("postman key", "PMAK-", HEX, 59),
    with("aws secret key", aws_secret),
    with("azure client secret", azure_secret),
    with("azure storage key", azure_key),
    with("jwt", jwt),
    with("private key", private_key),
    with("private key with numbers of lines", numbered_key),
    with("private key without its end", cut_key),
    with("private key in lines of code", coded_key),
    with("bearer token", bearer),
    with("basic authorization", basic),
    with("header of a key", header),
    with("cookie", cookie),
    with("password in a url", url_password),
    with("token in a url", url_token),
    with("signature in a url", url_signature),
];

impl Kind {
    /// Makes one up.
    #[must_use]
    pub fn make(&self, dice: &mut Dice) -> Made {
        match self.make {
            Make::Plain(begin, of, length) => {
                let body = dice.word(of, length);
                Made { text: format!("{begin}{body}"), secret: vec![body] }
            }
            Make::With(make) => make(dice),
        }
    }
}

impl Dice {
    /// Throws as this seed says.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// A number below this one.
    pub fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from((self.0 >> 11) % most.max(1) as u64).unwrap_or(0)
    }

    /// So many of these characters, a digit among them.
    pub fn word(&mut self, of: &str, length: usize) -> String {
        let of = of.as_bytes();
        let mut word: String = (0..length).map(|_| of[self.below(of.len())] as char).collect();
        let digit = word.len() / 2;
        if of.contains(&b'7') {
            word.replace_range(digit..=digit, "7");
        }
        word
    }
}

fn behind(before: &str, secret: String, after: &str) -> Made {
    Made { text: format!("{before}{secret}{after}"), secret: vec![secret] }
}

fn slack(dice: &mut Dice) -> Made {
    let secret = format!("{}-{}-{}", dice.word(DIGITS, 12), dice.word(DIGITS, 13), dice.word(ALNUM, 24));
    behind("xoxb-", secret, "")
}

fn slack_hook(dice: &mut Dice) -> Made {
    let secret = format!("T{}/B{}/{}", dice.word(BASE32, 8), dice.word(BASE32, 10), dice.word(ALNUM, 24));
    behind("https://hooks.slack.com/services/", secret, "")
}

fn telegram(dice: &mut Dice) -> Made {
    let secret = dice.word(URL, 33);
    behind(&format!("{}:AA", dice.word("123456789", 10)), secret, "")
}

fn discord(dice: &mut Dice) -> Made {
    let secret = format!("{}.{}.{}", dice.word(ALNUM, 22), dice.word(URL, 6), dice.word(URL, 38));
    behind("MT", secret, "")
}

fn sendgrid(dice: &mut Dice) -> Made {
    let secret = format!("{}.{}", dice.word(URL, 22), dice.word(URL, 43));
    behind("SG.", secret, "")
}

fn aws_secret(dice: &mut Dice) -> Made {
    let name = ["aws_secret_access_key = ", "AWS_SECRET_ACCESS_KEY=", "SecretAccessKey: "][dice.below(3)];
    let secret = dice.word(BASE64, 40);
    behind(name, secret, "")
}

fn azure_secret(dice: &mut Dice) -> Made {
    let secret = dice.word(URL, 33);
    behind(&format!("{}8Q~", dice.word(ALNUM, 3)), secret, "")
}

fn azure_key(dice: &mut Dice) -> Made {
    let secret = dice.word(BASE64, 86);
    behind("DefaultEndpointsProtocol=https;AccountName=x;AccountKey=", secret, "==")
}

fn jwt(dice: &mut Dice) -> Made {
    let secret = format!("{}.eyJ{}.{}", dice.word(URL, 33), dice.word(URL, 70), dice.word(URL, 43));
    behind("eyJ", secret, "")
}

fn key_lines(dice: &mut Dice) -> Vec<String> {
    let mut lines: Vec<String> = (0..4 + dice.below(4)).map(|_| dice.word(BASE64, 64)).collect();
    lines.push(dice.word(BASE64, 26) + "==");
    lines
}

fn title(dice: &mut Dice) -> String {
    let kind = ["", "RSA ", "EC ", "OPENSSH ", "ENCRYPTED "][dice.below(5)];
    format!("{kind}PRIVATE KEY-----")
}

fn private_key(dice: &mut Dice) -> Made {
    let (lines, title) = (key_lines(dice), title(dice));
    let text = format!("-----BEGIN {title}\n{}\n-----END {title}", lines.join("\n"));
    Made { text, secret: lines }
}

fn numbered_key(dice: &mut Dice) -> Made {
    let (lines, title) = (key_lines(dice), title(dice));
    let numbered: Vec<_> =
        lines.iter().enumerate().map(|(at, line)| format!("{:>6}→{line}", at + 2)).collect();
    let text = format!("     1→-----BEGIN {title}\n{}\n    99→-----END {title}", numbered.join("\n"));
    Made { text, secret: lines }
}

fn cut_key(dice: &mut Dice) -> Made {
    let (lines, title) = (key_lines(dice), title(dice));
    let lines = lines[..3].to_vec();
    Made { text: format!("-----BEGIN {title}\n{}", lines.join("\n")), secret: lines }
}

fn coded_key(dice: &mut Dice) -> Made {
    let (lines, title) = (key_lines(dice), title(dice));
    let text = format!(
        "-----BEGIN {title}\\n\" +\n    \"{}\\n\" +\n    \"-----END {title}",
        lines.join("\\n\" +\n    \"")
    );
    Made { text, secret: lines }
}

fn bearer(dice: &mut Dice) -> Made {
    let before = ["Authorization: Bearer ", "authorization: Bearer ", "bearer "][dice.below(3)];
    let secret = dice.word(URL, 40);
    behind(before, secret, "")
}

fn basic(dice: &mut Dice) -> Made {
    let secret = dice.word(BASE64, 28);
    behind("Authorization: Basic ", secret, "==")
}

fn header(dice: &mut Dice) -> Made {
    let before = ["x-api-key: ", "X-Api-Key: ", "PRIVATE-TOKEN: ", "x-goog-api-key: "][dice.below(4)];
    let secret = dice.word(LOWER, 30);
    behind(before, secret, "")
}

fn cookie(dice: &mut Dice) -> Made {
    let secret = dice.word(ALNUM, 30);
    behind("Cookie: session=", secret, "; theme=dark1")
}

fn url_password(dice: &mut Dice) -> Made {
    let secret = dice.word(ALNUM, 14);
    behind("postgres://app:", secret, "@db.example:5432/app")
}

fn url_token(dice: &mut Dice) -> Made {
    let name = ["token", "access_token", "api_key", "key"][dice.below(4)];
    let secret = dice.word(ALNUM, 24);
    behind(&format!("https://api.example/v1?a=b&{name}="), secret, "&c=d")
}

fn url_signature(dice: &mut Dice) -> Made {
    let name = ["X-Amz-Signature", "sig", "X-Goog-Signature"][dice.below(3)];
    let secret = dice.word(HEX, 64);
    behind(&format!("https://bucket.example/file?X-Amz-Expires=60&{name}="), secret, "")
}
