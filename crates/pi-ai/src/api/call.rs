//! What the public types of the wire formats have in common: a call with the format's own options, and
//! [`Api`](crate::registry::Api).
//!
//! Nothing here knows a format. A format says what differs in its `impl WireFormat`.

use std::sync::Arc;

use crate::model::Model;
use crate::options::StreamOptions;

/// One call in a wire format that keeps nothing from call to call, as the driver sees it.
#[derive(Debug)]
pub(crate) struct Call<O> {
    /// Options of the format; without them they follow from the general ones.
    pub(crate) explicit: Option<O>,
}

impl<O> Call<O> {
    /// A call with these options. The other arguments are those that formats with a state need, see `impl_api`.
    pub(crate) fn new<A>(_api: &A, explicit: Option<O>, _model: &Arc<Model>, _options: &StreamOptions) -> Self {
        Self { explicit }
    }
}

/// Implements [`Api`](crate::registry::Api) and `stream_with` for the public type of a wire format whose own options have
/// the field `base`.
///
/// `$call` makes the `WireFormat` of one call, nearly always [`Call::new`]: from the public type, the format's own options,
/// the model and the general options. Methods of `Api` that the format has beside the usual ones come last.
macro_rules! impl_api {
    ($api:ty, $name:expr, $options:ty, $call:expr $(, { $($more:tt)* })?) => {
        impl $api {
            /// Starts a call with the options that only this format has.
            pub fn stream_with(
                &self,
                model: ::std::sync::Arc<$crate::model::Model>,
                context: $crate::context::Context,
                mut options: $options,
            ) -> $crate::stream::AssistantMessageStream {
                let base = ::std::mem::take(&mut options.base);
                let call = $call(self, Some(options), &model, &base);
                $crate::api::driver::drive(::std::sync::Arc::new(call), model, context, base)
            }
        }

        impl $crate::registry::Api for $api {
            fn name(&self) -> &str {
                $name
            }

            fn stream(
                &self,
                model: ::std::sync::Arc<$crate::model::Model>,
                context: $crate::context::Context,
                options: $crate::options::StreamOptions,
            ) -> $crate::stream::AssistantMessageStream {
                let call = $call(self, None::<$options>, &model, &options);
                $crate::api::driver::drive(::std::sync::Arc::new(call), model, context, options)
            }

            $($($more)*)?
        }
    };
}
pub(super) use impl_api;
