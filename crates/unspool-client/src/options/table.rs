//! `options!` declares the options, a row each.

/// Declares [`Options`](super::Options): its fields, their setters, and where each of them goes.
///
/// ```text
/// options! {
///     /// What it does.
///     text model => flag "--model";                            `--model=value`
///     maybe snapshot => field "systemPromptSnapshot";          a field of `initialize`
///     switch file_checkpointing => env "CLAUDE_CODE_…";        an environment variable
///     value(Settings) settings => by settings_args;            words that depend on other options, too
///     each(PathBuf) add_dirs as add_dir => flag "--add-dir";   set one by one
///     value(Sandbox) sandbox => with "settings";               a part of something else; or for us alone
/// }
/// ```
macro_rules! options {
    ($(
        $(#[doc = $doc:literal])*
        $kind:ident $(($ty:ty))? $field:ident $(as $setter:ident)? => $way:ident $to:tt;
    )*) => {
        /// How Claude Code is started: flags, fields of `initialize`, environment.
        ///
        /// A plain value. What is not set is as Claude Code has it: there is no default that it does not have.
        ///
        /// ```
        /// use unspool_client::Options;
        /// use unspool_client::options::Effort;
        ///
        /// let options = Options::new().model("haiku").effort(Effort::Low).max_turns(3);
        /// assert_eq!(options.check(), Ok(()));
        /// ```
        ///
        /// Printed, it shows what is set, and of what may be secret only that it is.
        #[derive(Clone, Default, PartialEq)]
        #[non_exhaustive]
        pub struct Options {
            $(
                $(#[doc = $doc])*
                pub $field: $crate::options::kind::held!($kind $($ty)?),
            )*
        }

        impl std::fmt::Debug for Options {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                use $crate::options::hidden::{Hidden, is_hidden};
                let unset = Options::default();
                let mut all = f.debug_struct("Options");
                $(if self.$field != unset.$field {
                    let name = stringify!($field);
                    if is_hidden(name) { all.field(name, &Hidden) } else { all.field(name, &self.$field) };
                })*
                all.finish()
            }
        }

        impl Options {
            /// The names of all options.
            pub const NAMES: &'static [&'static str] = &[$(stringify!($field)),*];

            $($crate::options::table::option_setter! {
                $(#[doc = $doc])*
                #[doc = $crate::options::table::way_doc!($way $to)]
                $field $($setter)?: $kind $($ty)?
            })*

            /// What they are on the command line.
            fn flags(&self, args: &mut Vec<std::ffi::OsString>) {
                use $crate::options::word::Flag;
                $($crate::options::table::add_flag!(self $field args $way $to);)*
            }

            /// What they are in `initialize`.
            fn fields(&self, draft: unspool::wire::input::Draft) -> unspool::wire::input::Draft {
                use $crate::options::word::Field;
                $(let draft = $crate::options::table::add_field!(self $field draft $way $to);)*
                draft
            }

            /// What they are in the environment.
            fn variables(&self) -> Vec<(&'static str, std::ffi::OsString)> {
                use $crate::options::word::Variable;
                let all = [$($crate::options::table::variable!(self $field $way $to)),*];
                all.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
            }
        }
    };
}

macro_rules! option_setter {
    ($(#[doc = $doc:expr])* $field:ident: $($kind:tt)*) => {
        $crate::options::kind::setter! { $(#[doc = $doc])* $field $field: $($kind)* }
    };
    ($(#[doc = $doc:expr])* $field:ident $setter:ident: $($kind:tt)*) => {
        $crate::options::kind::setter! { $(#[doc = $doc])* $setter $field: $($kind)* }
    };
}

macro_rules! way_doc {
    (flag $flag:literal) => {
        concat!("\n\n`", $flag, "`")
    };
    (field $name:literal) => {
        concat!("\n\n`initialize.", $name, "`")
    };
    (env $name:literal) => {
        concat!("\n\n`", $name, "` in the environment")
    };
    ($way:ident $to:tt) => {
        ""
    };
}

macro_rules! add_flag {
    ($self:ident $field:ident $args:ident flag $flag:literal) => {
        $self.$field.add($flag, $args)
    };
    ($self:ident $field:ident $args:ident by $method:ident) => {
        $self.$method($args)
    };
    ($self:ident $field:ident $args:ident $way:ident $to:tt) => {};
}

macro_rules! add_field {
    ($self:ident $field:ident $draft:ident field $name:literal) => {
        $self.$field.add($name, $draft)
    };
    ($self:ident $field:ident $draft:ident $way:ident $to:tt) => {
        $draft
    };
}

macro_rules! variable {
    ($self:ident $field:ident env $name:literal) => {
        ($name, $self.$field.value())
    };
    ($self:ident $field:ident $way:ident $to:tt) => {
        ("", None)
    };
}

pub(crate) use {add_field, add_flag, option_setter, options, variable, way_doc};
