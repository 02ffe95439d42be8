//! `commands!` says of each request what it is replied with, and makes its methods.

/// Declares requests of Claude Code.
///
/// ```text
/// commands! {
///     SetModel -> SetModelReply {         the request and its reply, both types of the wire
///         /// What the method does.
///         fn set_model(model: &str);      arguments are fields of the request; methods are optional
///     }
///     StopTask -> () { .. }               replied with nothing but yes
///     RewindConversation -> Json { .. }   the reply's shape is not known
///     SideQuestion -> SideQuestionReply, within LONG { .. }      slower than most
/// }
/// ```
macro_rules! commands {
    ($(
        $request:ident -> $reply:tt $(, within $limit:ident)? {
            $($(#[doc = $doc:literal])* fn $method:ident($($field:ident: $ty:ty),*);)*
        }
    )*) => {
        $(
            impl<'a> $crate::controls::Request<'a> for $request<'a> {
                type Reply = $crate::controls::declare::reply!($reply);
                $(const LIMIT: Option<std::time::Duration> = $limit;)?
            }
            $crate::controls::declare::readable!($reply);
        )*

        impl $crate::controls::Controls {
            $($(
                $(#[doc = $doc])*
                pub async fn $method(
                    &self,
                    $($field: $ty),*
                ) -> Result<$crate::controls::declare::reply!($reply), unspool::control::Refusal> {
                    self.request($request::default()$(.$field($field))*).await
                }
            )*)*
        }

        /// The subtype of each request, its reply, and its methods.
        #[cfg(test)]
        pub(super) const TABLE: &[$crate::controls::tests::Row] = &[$($crate::controls::tests::Row {
            subtype: $request::TYPE.tags[0].1,
            reply: $crate::controls::declare::reply_type!($reply),
            methods: &[$(stringify!($method)),*],
        }),*];
    };
}

/// What a method returns.
macro_rules! reply {
    (()) => { () };
    ($reply:ident) => { $crate::controls::Reply<$reply<'static>> };
}

/// What the wire says of a reply.
#[cfg(test)]
macro_rules! reply_type {
    (()) => {
        None
    };
    (Json) => {
        None
    };
    ($reply:ident) => {
        Some($reply::TYPE)
    };
}

/// Any lifetime of a reply may be had. JSON is known already.
macro_rules! readable {
    (()) => {};
    (Json) => {};
    ($reply:ident) => {
        $crate::readable::readable!($reply<'static> as $reply<'a>);
    };
}

pub(super) use {commands, readable, reply};

#[cfg(test)]
pub(super) use reply_type;
