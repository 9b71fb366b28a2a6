//! Summarises old history so that a conversation fits its model's context window.
