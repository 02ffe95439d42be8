//! A folder that is nobody else's business.

#[cfg(unix)]
use crate::options::User;
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use uuid::Uuid;

/// A folder that only its owner can look into. It goes with its value.
#[derive(Debug)]
pub(crate) struct PrivateFolder(PathBuf);

impl PrivateFolder {
    pub(crate) fn create() -> io::Result<Self> {
        let path = std::env::temp_dir().join(format!("unspool-{}", Uuid::new_v4()));
        let mut builder = DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(&path)?;
        Ok(PrivateFolder(path))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// A new file with this text.
    pub(crate) fn write(&self, name: &str, text: &str) -> io::Result<PathBuf> {
        let path = self.0.join(name);
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file: File = options.open(&path)?;
        file.write_all(text.as_bytes())?;
        Ok(path)
    }

    /// Makes it and all in it this user's, who could not read it otherwise.
    #[cfg(unix)]
    pub(crate) fn give_to(&self, user: User) -> io::Result<()> {
        fn give(path: &Path, user: User) -> io::Result<()> {
            std::os::unix::fs::lchown(path, Some(user.uid), Some(user.gid))?;
            if path.is_dir() {
                fs::read_dir(path)?.try_for_each(|entry| give(&entry?.path(), user))?;
            }
            Ok(())
        }
        give(&self.0, user)
    }
}

impl Drop for PrivateFolder {
    fn drop(&mut self) {
        // What cannot be removed is in the folder for such things.
        let _ = fs::remove_dir_all(&self.0);
    }
}
