//! Masks what is piped in, for instance `cat run.ndjson | cargo run -p unspool-redact --example mask`.
#![expect(clippy::disallowed_methods, reason = "an example may read and write")]

use std::io::{Read, Write, stdin, stdout};
use unspool_redact::{Masks, Redactor};

fn main() -> std::io::Result<()> {
    let mut redactor = Redactor::new(&Masks::new());
    let (mut piece, mut out) = (vec![0; 64 << 10], Vec::new());
    loop {
        let length = stdin().read(&mut piece)?;
        if length == 0 {
            redactor.finish(&mut out);
            return stdout().write_all(&out);
        }
        redactor.feed(&piece[..length], &mut out);
        stdout().write_all(&out)?;
        out.clear();
    }
}
