//! stub
use crate::context::ToolDefinition;
use crate::error::Error;
use serde_json::Value;
use std::sync::Arc;
/// x
#[derive(Debug, Clone, Copy, Default)]
pub enum CoercionMode {
    /// x
    #[default]
    Plain,
    /// x
    Lenient,
}
/// x
#[derive(Debug)]
pub struct Validator;
impl Validator {
    /// x
    pub fn new(_d: &Arc<ToolDefinition>, _m: CoercionMode) -> Self {
        Self
    }
    /// x
    pub fn validate(&self, v: &Value) -> Result<Value, Error> {
        Ok(v.clone())
    }
}
