//! All shapes, a row each.
//!
//! Beginnings and lengths are those that the providers document; which of them matter was taken from what the rules of gitleaks 8.30 find
//! without looking at what stands around.

use super::Before::{Anything, Edge};
use super::Step::{Also, Body, One, Over, Run, Secret};
use super::{Before, Class, Rule, Step, pem, value};

const MANY: usize = usize::MAX;

const ALNUM: Class = |byte| byte.is_ascii_alphanumeric();
const DIGIT: Class = |byte| byte.is_ascii_digit();
const HEX: Class = |byte| byte.is_ascii_hexdigit();
const UPPER: Class = |byte| byte.is_ascii_uppercase() || byte.is_ascii_digit();
/// As base64 in URLs.
const WORD: Class = |byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
/// As base64.
const BASE: Class = |byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=');
const DOTTED: Class = |byte| WORD(byte) || matches!(byte, b'.' | b'=');
const AZURE: Class = |byte| WORD(byte) || matches!(byte, b'.' | b'~');
/// The name of somebody in a URL.
const USER: Class = |byte| {
    byte.is_ascii_graphic()
        && !matches!(
            byte,
            b'/' | b'?'
                | b'#'
                | b'@'
                | b':'
                | b'"'
                | b'\''
                | b'<'
                | b'>'
                | b'`'
                | b'\\'
                | b'|'
                | b','
                | b'('
                | b')'
                | b'['
                | b']'
        )
};

/// Begins so, whatever stands before it.
const fn certain(name: &'static str, begins: &'static [&'static str], steps: &'static [Step]) -> Rule {
    Rule { name, begins, any_case: false, before: Anything, steps, is_certain: true }
}

/// Begins so, where no word goes on.
const fn at_edge(name: &'static str, begins: &'static [&'static str], steps: &'static [Step]) -> Rule {
    Rule { name, begins, any_case: false, before: Edge, steps, is_certain: true }
}

/// Stands behind a name or a sign.
const fn behind(name: &'static str, begins: &'static [&'static str], steps: &'static [Step]) -> Rule {
    Rule { name, begins, any_case: true, before: Edge, steps, is_certain: false }
}

/// In the order in which they count, should two be of the same length.
pub(crate) const RULES: &[Rule] = &[
    // Models.
    certain("anthropic-key", &["sk-ant-"], &[Run(WORD, 20, MANY)]),
    certain(
        "openai-key",
        &["sk-proj-", "sk-svcacct-", "sk-admin-", "sk-or-v1-", "sk-lf-"],
        &[Run(WORD, 20, MANY)],
    ),
    at_edge("openai-key", &["sk-"], &[Run(ALNUM, 32, MANY)]),
    at_edge("huggingface-token", &["hf_"], &[Run(ALNUM, 30, MANY)]),
    at_edge("huggingface-token", &["api_org_"], &[Run(ALNUM, 30, MANY)]),
    at_edge("groq-key", &["gsk_"], &[Run(ALNUM, 40, MANY)]),
    at_edge("xai-key", &["xai-"], &[Run(ALNUM, 60, MANY)]),
    at_edge("perplexity-key", &["pplx-"], &[Run(ALNUM, 40, MANY)]),
    at_edge("replicate-token", &["r8_"], &[Run(ALNUM, 37, MANY)]),
    // Clouds.
    at_edge("aws-key-id", &["AKIA", "ASIA", "ABIA", "ACCA"], &[Run(UPPER, 16, MANY)]),
    at_edge("aws-bedrock-key", &["ABSK"], &[Run(BASE, 100, MANY)]),
    certain("aws-bedrock-key", &["bedrock-api-key-"], &[Run(BASE, 40, MANY)]),
    behind(
        "aws-secret-key",
        &["aws_secret_access_key", "secretaccesskey", "aws_session_token"],
        &[Body(value::separator), Secret, Run(BASE, 30, MANY)],
    ),
    at_edge("google-key", &["AIza"], &[Run(WORD, 35, MANY)]),
    at_edge("google-secret", &["GOCSPX-"], &[Run(WORD, 24, MANY)]),
    at_edge("google-token", &["ya29."], &[Run(WORD, 20, MANY)]),
    Rule {
        name: "azure-secret",
        begins: &["Q~"],
        any_case: false,
        before: Before::Some(AZURE, 4),
        steps: &[Run(AZURE, 31, MANY)],
        is_certain: true,
    },
    behind("azure-key", &["accountkey=", "sharedaccesskey="], &[Secret, Run(BASE, 40, MANY)]),
    at_edge("alibaba-key-id", &["LTAI"], &[Run(ALNUM, 16, MANY)]),
    certain("digitalocean-token", &["dop_v1_", "doo_v1_", "dor_v1_"], &[Run(HEX, 64, MANY)]),
    certain("heroku-key", &["HRKU-"], &[Run(WORD, 30, MANY)]),
    at_edge("fly-token", &["fo1_"], &[Run(WORD, 43, MANY)]),
    at_edge("fly-token", &["fm1r_", "fm1a_", "fm2_"], &[Run(BASE, 100, MANY)]),
    at_edge("databricks-token", &["dapi"], &[Run(HEX, 32, MANY)]),
    certain("cloudflare-key", &["v1.0-"], &[Run(HEX, 24, 24), One(&["-"]), Run(HEX, 146, MANY)]),
    // Forges.
    certain("github-token", &["ghp_", "gho_", "ghu_", "ghs_", "ghr_"], &[Run(ALNUM, 36, MANY)]),
    certain("github-token", &["github_pat_"], &[Run(WORD, 22, MANY)]),
    certain(
        "gitlab-token",
        &[
            "glpat-", "gldt-", "glptt-", "glrt-", "glft-", "glsoat-", "glimt-", "glagent-", "gloas-",
            "glffct-", "glcbt-",
        ],
        &[Run(DOTTED, 20, MANY)],
    ),
    certain("gitlab-token", &["GR1348941"], &[Run(WORD, 20, MANY)]),
    at_edge("bitbucket-token", &["ATBB"], &[Run(ALNUM, 32, MANY)]),
    certain("atlassian-token", &["ATATT3", "ATCTT3"], &[Run(DOTTED, 100, MANY)]),
    at_edge("linear-key", &["lin_api_", "lin_oauth_"], &[Run(ALNUM, 40, MANY)]),
    // Registries.
    at_edge("npm-token", &["npm_"], &[Run(ALNUM, 36, MANY)]),
    certain("pypi-token", &["pypi-AgE"], &[Run(WORD, 50, MANY)]),
    certain("rubygems-key", &["rubygems_"], &[Run(HEX, 48, MANY)]),
    at_edge("crates-token", &["cio"], &[Run(ALNUM, 32, 32), Body(value::nothing_more)]),
    certain("docker-token", &["dckr_pat_", "dckr_oat_"], &[Run(WORD, 24, MANY)]),
    certain("clojars-token", &["CLOJARS_"], &[Run(ALNUM, 60, MANY)]),
    at_edge("artifactory-key", &["AKCp"], &[Run(ALNUM, 69, MANY)]),
    // Messages.
    certain(
        "slack-token",
        &["xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "xoxo-", "xoxc-", "xoxd-", "xoxe-", "xoxe.", "xapp-"],
        &[Run(SLACK, 20, MANY)],
    ),
    certain(
        "slack-webhook",
        &["hooks.slack.com/services/", "hooks.slack.com/workflows/", "hooks.slack.com/triggers/"],
        &[Secret, Run(BASE, 30, MANY)],
    ),
    Rule {
        name: "telegram-token",
        begins: &[":AA"],
        any_case: false,
        before: Before::Some(DIGIT, 8),
        steps: &[Secret, Run(WORD, 32, MANY)],
        is_certain: false,
    },
    at_edge(
        "discord-token",
        &["MD", "MT", "Mj", "Mz", "ND", "NT", "Nj", "Nz", "OD", "OT"],
        &[Run(WORD, 20, 28), One(&["."]), Run(WORD, 6, 7), One(&["."]), Run(WORD, 27, MANY)],
    ),
    certain(
        "discord-webhook",
        &["discord.com/api/webhooks/", "discordapp.com/api/webhooks/"],
        &[Run(DIGIT, 16, 22), One(&["/"]), Secret, Run(WORD, 50, MANY)],
    ),
    certain("teams-webhook", &["webhook.office.com/webhookb2/"], &[Secret, Run(TEAMS, 60, MANY)]),
    at_edge("twilio-key", &["SK"], &[Run(HEX, 32, MANY)]),
    behind(
        "twilio-token",
        &["twilio_auth_token", "twilio_api_secret"],
        &[Body(value::separator), Secret, Run(ALNUM, 32, MANY)],
    ),
    at_edge("sendgrid-key", &["SG."], &[Run(WORD, 16, 32), One(&["."]), Run(WORD, 30, MANY)]),
    certain("sendinblue-key", &["xkeysib-"], &[Run(WORD, 64, MANY)]),
    // Money and shops.
    at_edge(
        "stripe-key",
        &["sk_live_", "sk_test_", "rk_live_", "rk_test_", "sk_prod_", "rk_prod_"],
        &[Run(ALNUM, 16, MANY)],
    ),
    at_edge("stripe-secret", &["whsec_"], &[Run(BASE, 24, MANY)]),
    certain("shopify-token", &["shpat_", "shpca_", "shppa_", "shpss_"], &[Run(HEX, 32, MANY)]),
    at_edge("square-token", &["sq0atp-", "sq0csp-"], &[Run(WORD, 22, MANY)]),
    at_edge("shippo-token", &["shippo_live_", "shippo_test_"], &[Run(HEX, 40, MANY)]),
    // Services.
    certain("sentry-token", &["sntrys_", "sntryu_"], &[Run(SENTRY, 40, MANY)]),
    at_edge("grafana-token", &["glc_", "glsa_"], &[Run(SENTRY, 32, MANY)]),
    at_edge("vault-token", &["hvs.", "hvb.", "hvr."], &[Run(WORD, 24, MANY)]),
    at_edge("doppler-token", &["dp.pt.", "dp.st.", "dp.sa.", "dp.ct."], &[Run(DOTTED, 40, MANY)]),
    certain("1password-token", &["ops_eyJ"], &[Run(BASE, 100, MANY)]),
    certain("age-key", &["AGE-SECRET-KEY-1"], &[Run(UPPER, 58, MANY)]),
    certain("notion-token", &["ntn_"], &[Run(ALNUM, 40, MANY)]),
    certain("postman-key", &["PMAK-"], &[Run(WORD, 50, MANY)]),
    certain("planetscale-token", &["pscale_tkn_", "pscale_oauth_", "pscale_pw_"], &[Run(DOTTED, 32, MANY)]),
    at_edge("pulumi-token", &["pul-"], &[Run(HEX, 40, MANY)]),
    at_edge("airtable-token", &["pat"], &[Run(ALNUM, 14, 14), One(&["."]), Run(HEX, 64, MANY)]),
    certain("dynatrace-token", &["dt0c01."], &[Run(ALNUM, 24, 24), One(&["."]), Run(ALNUM, 64, MANY)]),
    certain("openshift-token", &["sha256~"], &[Run(WORD, 43, MANY)]),
    behind("url-token", &["signature="], &[Secret, Run(HEX, 40, MANY)]),
    // What any program may use.
    at_edge("jwt", &["eyJ"], &[Run(WORD, 10, MANY), One(&["."]), Run(WORD, 10, MANY), Also(".", WORD, 3)]),
    certain("private-key", &["-----BEGIN "], &[Body(pem::key)]),
    behind(
        "header",
        &["authorization"],
        &[Body(value::separator), Body(value::scheme), Secret, Body(value::token)],
    ),
    behind("header", NAMES, &[Body(value::separator), Secret, Body(value::token)]),
    behind("bearer", &["bearer "], &[Secret, Body(value::bearer)]),
    behind("cookie", &["cookie", "set-cookie"], &[Body(value::separator), Secret, Body(value::cookie)]),
    Rule {
        name: "url-password",
        begins: &["://"],
        any_case: false,
        before: Before::Some(SCHEME, 1),
        steps: &[Run(USER, 0, 256), One(&[":"]), Secret, Body(value::password), Over, One(&["@"])],
        is_certain: false,
    },
    Rule {
        name: "url-user",
        begins: &["://"],
        any_case: false,
        before: Before::Some(SCHEME, 1),
        steps: &[Secret, Body(value::user), Over, One(&["@"])],
        is_certain: false,
    },
    Rule {
        name: "url-token",
        begins: PARAMETERS,
        any_case: true,
        before: Anything,
        steps: &[Secret, Body(value::parameter)],
        is_certain: false,
    },
];

const SLACK: Class = |byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'%' | b'/' | b'+');
const TEAMS: Class = |byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'@' | b'/');
const SENTRY: Class = |byte| BASE(byte) || byte == b'_';
const SCHEME: Class = |byte| byte.is_ascii_alphanumeric();

/// Headers, and fields of that name, whose value is a secret.
pub(crate) const NAMES: &[&str] = &[
    "x-api-key",
    "x-goog-api-key",
    "x-auth-token",
    "x-access-token",
    "x-gitlab-token",
    "x-vault-token",
    "x-amz-security-token",
    "x-aws-ec2-metadata-token",
    "x-csrf-token",
    "private-token",
    "job-token",
    "api-key",
    "ocp-apim-subscription-key",
];

/// Parameters of URLs, with what stands before and behind them.
const PARAMETERS: &[&str] = &[
    "?token=",
    "&token=",
    "?access_token=",
    "&access_token=",
    "#access_token=",
    "?refresh_token=",
    "&refresh_token=",
    "?id_token=",
    "&id_token=",
    "?auth_token=",
    "&auth_token=",
    "?private_token=",
    "&private_token=",
    "?api_key=",
    "&api_key=",
    "?apikey=",
    "&apikey=",
    "?api-key=",
    "&api-key=",
    "?key=",
    "&key=",
    "?secret=",
    "&secret=",
    "?client_secret=",
    "&client_secret=",
    "?password=",
    "&password=",
    "?passwd=",
    "&passwd=",
    "?pwd=",
    "&pwd=",
    "?auth=",
    "&auth=",
    "?sig=",
    "&sig=",
    "?signature=",
    "&signature=",
    "?x-amz-signature=",
    "&x-amz-signature=",
    "?x-amz-credential=",
    "&x-amz-credential=",
    "?x-amz-security-token=",
    "&x-amz-security-token=",
    "?x-goog-signature=",
    "&x-goog-signature=",
    "?x-goog-credential=",
    "&x-goog-credential=",
];
