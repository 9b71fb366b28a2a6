//! One constructor per kind of value that a setting takes; `table.rs` calls them. Those named `optional_` have no default: their
//! getter returns `None`.

use std::collections::BTreeMap;

use pi_ai::ThinkingLevel;
use pi_ai::thinking::ThinkingBudgets;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::kind::Kind;
use super::readers::{limit_ms, list, number, positive, read, text, whole_number};
use super::setting::Setting;
use super::spec::DefaultValue;

fn is_on(default: DefaultValue) -> bool {
    matches!(default, DefaultValue::Switch(true))
}

fn figure(default: DefaultValue) -> u64 {
    if let DefaultValue::Number(figure) = default { figure } else { 0 }
}

fn word<T: Serialize + Default>() -> Value {
    serde_json::to_value(T::default()).unwrap_or_default()
}

/// `true` or `false`.
pub(super) const fn switch(key: &'static str, default: bool) -> Setting<bool> {
    Setting::new(key, Kind::Switch, DefaultValue::Switch(default), Value::as_bool, is_on)
}

/// `true` or `false`, where the default depends on something else.
pub(super) const fn optional_switch(key: &'static str) -> Setting<Option<bool>> {
    Setting::new(key, Kind::Switch, DefaultValue::None, |value| value.as_bool().map(Some), |_| None)
}

/// A text; an empty one counts as absent.
pub(super) const fn optional_text(key: &'static str) -> Setting<Option<String>> {
    Setting::new(key, Kind::Text, DefaultValue::None, |value| text(value).map(Some), |_| None)
}

/// A list of texts.
pub(super) const fn optional_texts(key: &'static str) -> Setting<Option<Vec<String>>> {
    Setting::new(key, Kind::Texts, DefaultValue::None, |value| read(value).map(Some), |_| None)
}

/// One of these words, the variants of an enum.
pub(super) const fn one_of<T>(key: &'static str, words: &'static [&'static str]) -> Setting<T>
where
    T: Serialize + DeserializeOwned + Default,
{
    Setting::new(key, Kind::OneOf(words), DefaultValue::Word(word::<T>), read, |_| T::default())
}

/// One of these words, without a default.
pub(super) const fn optional_one_of<T>(key: &'static str, words: &'static [&'static str]) -> Setting<Option<T>>
where
    T: DeserializeOwned,
{
    Setting::new(key, Kind::OneOf(words), DefaultValue::None, |value| read(value).map(Some), |_| None)
}

/// A number that is not negative; what follows its point is cut off.
pub(super) const fn whole_part(key: &'static str, default: u64) -> Setting<u64> {
    Setting::new(key, Kind::Number, DefaultValue::Number(default), number, figure)
}

/// The same without a default.
pub(super) const fn optional_whole_part(key: &'static str) -> Setting<Option<u64>> {
    Setting::new(key, Kind::Number, DefaultValue::None, |value| number(value).map(Some), |_| None)
}

/// The same within limits.
pub(super) const fn in_range<const MIN: u64, const MAX: u64>(key: &'static str, default: u64) -> Setting<u64> {
    let read = |value: &Value| number(value).map(|number| number.clamp(MIN, MAX));
    Setting::new(key, Kind::Range(MIN, MAX), DefaultValue::Number(default), read, figure)
}

/// A whole number, 0 included.
pub(super) const fn whole(key: &'static str, default: u64) -> Setting<u64> {
    Setting::new(key, Kind::Whole, DefaultValue::Number(default), whole_number, figure)
}

/// A whole number above 0.
pub(super) const fn count(key: &'static str, default: u64) -> Setting<u64> {
    let read = |value: &Value| value.as_u64().filter(|number| *number > 0);
    Setting::new(key, Kind::Count, DefaultValue::Number(default), read, figure)
}

/// A number above 0.
pub(super) const fn above_zero(key: &'static str, default: u64) -> Setting<f64> {
    Setting::new(key, Kind::Positive, DefaultValue::Number(default), positive, |default| figure(default) as f64)
}

/// The same without a default.
pub(super) const fn optional_above_zero(key: &'static str) -> Setting<Option<f64>> {
    Setting::new(key, Kind::Positive, DefaultValue::None, |value| positive(value).map(Some), |_| None)
}

/// A number above 0, of which what follows its point is cut off; 0 then counts as absent.
pub(super) const fn optional_count(key: &'static str) -> Setting<Option<u64>> {
    let read = |value: &Value| number(value).filter(|number| *number > 0).map(Some);
    Setting::new(key, Kind::Positive, DefaultValue::None, read, |_| None)
}

/// A number of seconds, 0 included.
pub(super) const fn seconds(key: &'static str, default: u64) -> Setting<f64> {
    let read = |value: &Value| value.as_f64().filter(|seconds| *seconds >= 0.0);
    Setting::new(key, Kind::Number, DefaultValue::Number(default), read, |default| figure(default) as f64)
}

/// Milliseconds, where 0 and `"disabled"` mean no limit.
pub(super) const fn limit(key: &'static str, default: u64) -> Setting<u64> {
    Setting::new(key, Kind::Limit, DefaultValue::Number(default), limit_ms, figure)
}

/// The same without a default.
pub(super) const fn optional_limit(key: &'static str) -> Setting<Option<u64>> {
    Setting::new(key, Kind::Limit, DefaultValue::None, |value| limit_ms(value).map(Some), |_| None)
}

/// A list of packages; entries that cannot be read are left out.
pub(super) const fn packages<T: DeserializeOwned>(key: &'static str) -> Setting<Vec<T>> {
    Setting::new(key, Kind::Packages, DefaultValue::Elsewhere("[]"), list, |_| Vec::new())
}

/// An object whose names the user chooses.
pub(super) const fn named<T>(
    key: &'static str,
    kind: Kind,
    read: fn(&Value) -> Option<BTreeMap<String, T>>,
) -> Setting<BTreeMap<String, T>> {
    Setting::new(key, kind, DefaultValue::None, read, |_| BTreeMap::new())
}

/// Tokens by thinking level. Others than these levels are read, too, and not checked.
pub(super) const fn thinking_budgets(
    key: &'static str,
    levels: &'static [&'static str],
) -> Setting<Option<ThinkingBudgets>> {
    let read = |value: &Value| {
        let budgets = value.as_object()?.iter();
        let known = budgets.filter_map(|(name, value)| Some((ThinkingLevel::parse(name)?, number(value)?)));
        Some(Some(known.collect()))
    };
    Setting::new(key, Kind::Numbers(levels), DefaultValue::None, read, |_| None)
}
