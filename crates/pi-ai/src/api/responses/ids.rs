//! Ids of tool calls in a Responses transcript: two parts with a bar between them, the call's and the item's.

use crate::api::content::plain_id;
use crate::hash::short_hash;
use crate::message::AssistantMessage;
use crate::model::Model;

/// Parts of ids may be this long.
pub(crate) const MAX_ID: usize = 64;
/// Providers whose servers know two-part ids; others get one plain id.
pub(crate) const TWO_PART_PROVIDERS: [&str; 3] = ["openai", "openai-codex", "opencode"];

/// Beginning of the id of a function call item; servers insist on it.
const CALL_ITEM: &str = "fc_";

/// The id under which `call_id` and item id travel together in a transcript.
pub(crate) fn join(call: &str, item: &str) -> String {
    format!("{call}|{item}")
}

/// The two parts of an id; one that did not come from a Responses format has no item id.
pub(crate) fn split(id: &str) -> (&str, Option<&str>) {
    match id.split_once('|') {
        Some((call, item)) => (call, Some(item)),
        None => (id, None),
    }
}

/// Whether an item id is that of a function call.
pub(super) fn is_call_item(item: &str) -> bool {
    item.starts_with(CALL_ITEM)
}

/// Makes the id of a call in a foreign message legal for `model`. `two_part` lists the providers that know two-part ids.
pub(crate) fn normalise(id: &str, source: &AssistantMessage, model: &Model, two_part: &[&str]) -> String {
    let (call, item) = split(id);
    let Some(item) = item.filter(|_| two_part.contains(&model.provider.as_str())) else { return part(id) };
    let is_foreign = source.provider != model.provider || source.api != model.api;
    let item = if is_foreign { format!("{CALL_ITEM}{}", short_hash(item)) } else { part(item) };
    let item = if is_call_item(&item) { item } else { part(&format!("{CALL_ITEM}{item}")) };
    join(&part(call), &item)
}

/// One part, of legal characters and length. It never ends with an underscore and is never empty.
fn part(text: &str) -> String {
    let plain = plain_id(text, MAX_ID);
    match plain.trim_end_matches('_') {
        "" => format!("call_{}", short_hash(text)),
        plain => plain.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn normalised(id: &str, source: (&str, &str), provider: &str) -> String {
        let model = Model { provider: provider.into(), api: "openai-responses".into(), ..Model::default() };
        let source =
            AssistantMessage { provider: source.0.into(), api: source.1.into(), ..AssistantMessage::default() };
        normalise(id, &source, &model, &TWO_PART_PROVIDERS)
    }

    #[test]
    fn by_source_and_target() {
        let (own, foreign) = (("openai", "openai-responses"), ("github-copilot", "openai-responses"));
        let long = "x".repeat(100);
        for (id, source, target, expected) in [
            ("call_F|fc_veryLong+/=abc", foreign, "openai", "call_F|fc_14urip43bosle"),
            ("call_G|fc_2", foreign, "openai", "call_G|fc_x08lfqt1kfj7"),
            ("call_G|fc_2", own, "openai", "call_G|fc_2"),
            ("call+1|item/2=", own, "openai", "call_1|fc_item_2"),
            ("call_1", foreign, "openai", "call_1"),
            ("call+1|fc_2", foreign, "mine", "call_1_fc_2"),
            ("toolu_é€😀|", own, "mine", "toolu"),
            ("||", own, "mine", "call_12p9o16zpwxrh"),
            (long.as_str(), own, "mine", &long[..64]),
        ] {
            assert_eq!(normalised(id, source, target), expected, "{id} to {target}");
        }
    }
}
