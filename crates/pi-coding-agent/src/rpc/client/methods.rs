//! From the declaration of a command to a method that sends it. Methods written by hand are in `commands.rs`.

use serde_json::{Map, Value};

use super::RpcClientError;
use crate::rpc::command_table::json_name;

/// What a method returns.
pub(super) type Answer<T> = Result<T, RpcClientError>;

/// The methods whose declaration names this owner: `command_table!(client_methods)` in the `impl` of the client.
macro_rules! client_methods {
    ($({ $(#[$doc:meta])* $name:ident $variant:ident $pace:ident $fields:tt -> $answer:tt $text:literal, $owner:ident $method:ident })*) => {
        #[allow(clippy::missing_errors_doc)]
        impl RpcClient {
            $(method_of_client! { $owner [$(#[$doc])*] $name $method $fields $answer })*
        }
    };
}

/// As [`client_methods`], for [`RpcHistory`](super::RpcHistory).
macro_rules! history_methods {
    ($({ $(#[$doc:meta])* $name:ident $variant:ident $pace:ident $fields:tt -> $answer:tt $text:literal, $owner:ident $method:ident })*) => {
        #[allow(clippy::missing_errors_doc)]
        impl RpcHistory<'_> {
            $(method_of_history! { $owner [$(#[$doc])*] $name $method $fields $answer })*
        }
    };
}

macro_rules! method_of_client {
    (client $($declaration:tt)*) => { method! { (&self) (self.connection) $($declaration)* } };
    ($other:ident $($declaration:tt)*) => {};
}

macro_rules! method_of_history {
    (history $($declaration:tt)*) => { method! { (self) (self.0) $($declaration)* } };
    ($other:ident $($declaration:tt)*) => {};
}

/// A method with a parameter for each field that declares one.
macro_rules! method {
    (($($receiver:tt)*) ($connection:expr) [$($doc:tt)*] $name:ident $method:ident {
        $(needs $need:ident: $need_type:ty $(= $need_param:ty)?, $need_text:literal;)*
        $(takes $take:ident: $take_type:ty $(= $take_param:ty)?, $take_text:literal;)*
    } $answer:tt) => {
        $($doc)*
        pub async fn $method($($receiver)*, $($($need: $need_param,)?)* $($($take: $take_param,)?)*) -> Answer<answer_type!($answer)> {
            let fields = fields([
                $($({ let value: $need_param = $need; (stringify!($need), json!(value)) },)?)*
                $($({ let value: $take_param = $take; (stringify!($take), json!(value)) },)?)*
            ]);
            ask!($connection, stringify!($name), &fields, $answer)
        }
    };
}

/// The type of an answer, or of the one field that it has.
macro_rules! answer_type {
    (()) => {
        ()
    };
    (($field:ident: $type:ty)) => {
        $type
    };
    (($type:ty)) => {
        $type
    };
}

macro_rules! ask {
    ($connection:expr, $name:expr, $fields:expr, ()) => {
        $connection.send($name, $fields).await
    };
    ($connection:expr, $name:expr, $fields:expr, ($field:ident: $type:ty)) => {
        $connection.read($name, $fields, Some(stringify!($field))).await
    };
    ($connection:expr, $name:expr, $fields:expr, ($type:ty)) => {
        $connection.read($name, $fields, None).await
    };
}

pub(super) use {answer_type, ask, client_methods, history_methods, method, method_of_client, method_of_history};

/// Fields of a command. One without a value is absent rather than null.
pub(super) fn fields<const N: usize>(fields: [(&str, Value); N]) -> Map<String, Value> {
    let given = fields.into_iter().filter(|(_, value)| !value.is_null());
    given.map(|(name, value)| (json_name(name), value)).collect()
}
