//! What the built-in tools have in common as [`Tool`](pi_agent_core::Tool)s. Nothing here knows a tool.

/// Implements `Tool` for a type with a method `run`, in a module with a function `definition`.
///
/// `DEFINITION` is what that function returns. It and the compiled schema are made once, however many sessions there are.
/// Methods of the trait that differ from the usual ones come in braces.
macro_rules! impl_tool {
    ($tool:ty $(, { $($more:tt)* })?) => {
        static DEFINITION: ::std::sync::LazyLock<::std::sync::Arc<::pi_ai::ToolDefinition>> =
            ::std::sync::LazyLock::new(|| ::std::sync::Arc::new(definition()));
        static SCHEMA: ::pi_agent_core::CompiledSchema = ::pi_agent_core::CompiledSchema::new();

        impl ::pi_agent_core::Tool for $tool {
            fn definition(&self) -> &::std::sync::Arc<::pi_ai::ToolDefinition> {
                &DEFINITION
            }

            fn coercion_mode(&self) -> ::pi_ai::CoercionMode {
                ::pi_ai::CoercionMode::Lenient
            }

            fn compiled_schema(&self) -> Option<&::pi_agent_core::CompiledSchema> {
                Some(&SCHEMA)
            }

            fn execute(
                &self,
                call: ::pi_agent_core::ToolInvocation,
            ) -> ::futures::future::BoxFuture<'_, Result<::pi_agent_core::ToolOutput, ::pi_agent_core::ToolError>> {
                Box::pin(self.run(call))
            }

            $($($more)*)?
        }
    };
}
pub(super) use impl_tool;
