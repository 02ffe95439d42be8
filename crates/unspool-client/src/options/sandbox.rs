//! The sandbox in which commands run.

use super::object::{object, words};
use serde_json::Value;

object! {
    /// The sandbox in which commands run. What is not set is as Claude Code has it, but for
    /// [`fail_if_unavailable`](Self::fail_if_unavailable): a sandbox that was asked for must be there.
    pub struct Sandbox {
        /// It is used.
        maybe enabled,
        /// Claude Code does not start where there can be no sandbox. True unless set.
        maybe fail_if_unavailable,
        /// Commands in the sandbox need no permission.
        maybe auto_allow_bash_if_sandboxed,
        /// The model may ask to run a command outside.
        maybe allow_unsandboxed_commands,
        /// Commands that always run outside.
        list excluded_commands,
        /// What is not reported, by command.
        map(Vec<String>) ignore_violations as ignore_violation,
        /// A weaker sandbox, for inside a container.
        maybe enable_weaker_nested_sandbox,
        /// User namespaces inside.
        maybe allow_nested_user_namespaces,
        /// A network that is less apart.
        maybe enable_weaker_network_isolation,
        /// Apple events may leave.
        maybe allow_apple_events,
        /// The program that searches.
        value(Ripgrep) ripgrep,
        /// Where `bwrap` is.
        text bwrap_path,
        /// Where `socat` is.
        text socat_path,
        /// What may be reached.
        value(SandboxNetwork) network,
        /// What may be read and written.
        value(SandboxFiles) filesystem as files,
        /// What is kept from commands.
        value(SandboxCredentials) credentials,
    }

    /// The program that searches.
    pub struct Ripgrep {
        /// The program.
        text command,
        /// Its arguments.
        list args,
    }

    /// What may be reached from a sandbox.
    pub struct SandboxNetwork {
        /// Domains that may be reached.
        list allowed_domains,
        /// Domains that may not.
        list denied_domains,
        /// What is not allowed is denied without asking.
        maybe strict_allowlist,
        /// Only what an organisation allows.
        maybe allow_managed_domains_only,
        /// Sockets that may be reached.
        list allow_unix_sockets,
        /// All of them may.
        maybe allow_all_unix_sockets,
        /// Ports may be listened on.
        maybe allow_local_binding,
        /// Services of macOS that may be looked up.
        list allow_mach_lookup,
        /// A proxy for HTTP of one's own.
        number http_proxy_port,
        /// A proxy for SOCKS of one's own.
        number socks_proxy_port,
        /// The proxy looks into TLS.
        value(TlsTerminate) tls_terminate,
    }

    /// With what a proxy looks into TLS.
    pub struct TlsTerminate {
        /// The certificate of the authority.
        text ca_cert_path,
        /// Its key.
        text ca_key_path,
    }

    /// What may be read and written in a sandbox.
    pub struct SandboxFiles {
        /// May be written.
        list allow_write,
        /// May not be written.
        list deny_write,
        /// May not be read.
        list deny_read,
        /// May be read all the same.
        list allow_read,
        /// Only what an organisation allows may be read.
        maybe allow_managed_read_paths_only,
        /// Files are not protected.
        maybe disabled,
    }

    /// What is kept from commands.
    pub struct SandboxCredentials {
        /// Files with secrets.
        each(SecretFile) files as file,
        /// Variables with secrets.
        each(SecretVariable) env_vars as variable,
        /// Secrets may be put into connections that are not encrypted.
        maybe allow_plaintext_inject,
        /// Variables that belong together, for AWS.
        each(AwsPair) aws_pairs as aws_pair,
        /// What is done with signatures of AWS.
        value(Sigv4) sigv4,
    }

    /// A file with secrets.
    pub struct SecretFile {
        /// Where it is.
        text path,
        /// What becomes of it.
        value(SecretMode) mode,
        /// What in it is secret.
        value(Value) extract,
        /// What to do if nothing in it is.
        value(OnNoMatch) on_extract_no_match,
        /// `jwt`: it is a token with claims.
        text decode,
        /// The claims that are secret.
        value(Value) mask_claims,
        /// Whether this secret is masked elsewhere, too.
        value(Value) mask_duplicates,
        /// Hosts that get the real one.
        value(Value) inject_hosts,
    }

    /// A variable with a secret.
    pub struct SecretVariable {
        /// Its name.
        text name,
        /// What becomes of it.
        value(SecretMode) mode,
    }

    /// Variables that belong together, for AWS.
    pub struct AwsPair {
        /// Has the id.
        text access_key_id_var,
        /// Has the secret.
        text secret_access_key_var,
        /// Has the token.
        text session_token_var,
    }

    /// What is done with signatures of AWS.
    pub struct Sigv4 {
        /// With those of streams.
        value(Sigv4Mode) streaming,
        /// With those in addresses.
        value(Sigv4Mode) presigned,
        /// With those for several regions.
        value(Sigv4Mode) sigv4a,
    }
}

words! {
    /// What becomes of a secret.
    pub enum SecretMode {
        /// It cannot be read.
        Deny = "deny",
        /// Something else is read in its place.
        Mask = "mask",
    }

    /// What to do if a file has no secret.
    pub enum OnNoMatch {
        Deny = "deny",
        Error = "error",
        Warn = "warn",
    }

    /// What is done with a signature.
    pub enum Sigv4Mode {
        Deny = "deny",
        Passthrough = "passthrough",
    }
}
