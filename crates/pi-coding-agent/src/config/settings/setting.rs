//! A declared setting with the type of its value, and the macro that makes getters and setters of the declarations in
//! `table.rs`. The constructors, one per kind of value, stand in `constructors.rs`.

use serde_json::Value;

use super::kind::Kind;
use super::spec::{DefaultValue, Spec, Topic};

/// A setting whose getter returns a `T`.
pub(super) struct Setting<T> {
    pub(super) spec: Spec,
    /// `None` for a value that cannot be used; it counts as absent.
    read: fn(&Value) -> Option<T>,
    /// What counts where it is absent. A function, so that a setting of any type is a constant.
    default: fn(DefaultValue) -> T,
}

impl<T> Setting<T> {
    /// A setting of any type. Those of `constructors.rs` are shorter.
    pub(super) const fn new(
        key: &'static str,
        kind: Kind,
        default: DefaultValue,
        read: fn(&Value) -> Option<T>,
        of_default: fn(DefaultValue) -> T,
    ) -> Self {
        let (topic, sentence, more) = (Topic::NoEffectYet, "", None);
        let spec = Spec { key, kind, default, is_users_own: false, topic, sentence, more };
        Self { spec, read, default: of_default }
    }

    /// Its place on the page, and what it does. The macro calls this.
    pub(super) const fn documented(mut self, topic: Topic, sentence: &'static str) -> Self {
        (self.spec.topic, self.spec.sentence) = (topic, sentence);
        self
    }

    /// Only the user's own file counts.
    pub(super) const fn users_own(mut self) -> Self {
        self.spec.is_users_own = true;
        self
    }

    /// Where `docs/settings.md` says more: the target of a link.
    pub(super) const fn more(mut self, link: &'static str) -> Self {
        self.spec.more = Some(link);
        self
    }

    /// What the getter's `None` comes to: a value in JSON.
    pub(super) const fn default_elsewhere(mut self, json: &'static str) -> Self {
        self.spec.default = DefaultValue::Elsewhere(json);
        self
    }

    /// What the getter's `None` comes to: a phrase.
    pub(super) const fn default_depends(mut self, phrase: &'static str) -> Self {
        self.spec.default = DefaultValue::Depends(phrase);
        self
    }

    /// The value of a setting: what stands in the file, if that can be used, else the default.
    pub(super) fn value_of(&self, found: Option<&Value>) -> T {
        found.and_then(self.read).unwrap_or_else(|| self.default())
    }

    /// What counts where it is absent.
    pub(super) fn default(&self) -> T {
        (self.default)(self.spec.default)
    }
}

/// Makes of each declaration a constant, an entry of `ALL` and, where names are given for them, a public getter and setter.
/// The `///` lines of a declaration are the documentation of all of these, and its text in `docs/settings.md` and in the
/// schema.
///
/// ```text
/// /// What the setting does.
/// NAME: Type = constructor("keyInTheFile", default), Topic, getter View::name, setter set_name(Given);
/// ```
///
/// A setting without `getter` is read by a method in `sections/` or `calls.rs`, which puts several together or converts it.
macro_rules! settings {
    ($(
        $(#[doc = $line:literal])+
        $name:ident: $type:ty = $setting:expr, $topic:ident
        $(, getter $view:ident::$getter:ident $(, setter $setter:ident($given:ty))?)?;
    )+) => {
        $(
            $(#[doc = $line])+
            pub(super) const $name: Setting<$type> = $setting.documented(Topic::$topic, concat!($($line),+));
        )+

        /// All settings that this version reads, in the order in which they are checked.
        pub(super) static ALL: &[Spec] = &[$($name.spec),+];

        $(accessors! { [$($line)+] $name: $type $(, $view::$getter $(, $setter($given))?)? })+

        /// What each generated getter returns, for the test that every setting is read.
        #[cfg(test)]
        pub(super) fn values(keys: super::keys::Keys<'_>) -> Vec<String> {
            vec![$($(format!("{:?}", $view(keys).$getter()),)?)+]
        }
    };
}

/// The getter and the setter of one declaration, where it names them.
macro_rules! accessors {
    ([$($line:literal)+] $name:ident: $type:ty) => {};
    ([$($line:literal)+] $name:ident: $type:ty, $view:ident::$getter:ident) => {
        impl $view<'_> {
            $(#[doc = $line])+
            pub fn $getter(self) -> $type {
                self.0.get(&$name)
            }
        }
    };
    ([$($line:literal)+] $name:ident: $type:ty, $view:ident::$getter:ident, $setter:ident($given:ty)) => {
        accessors! { [$($line)+] $name: $type, $view::$getter }

        impl $view<'_> {
            $(#[doc = $line])+
            ///
            /// Writes the user's settings; a project's own value stays in force.
            ///
            /// # Errors
            /// Those of [`SettingsManager::set`](crate::settings::SettingsManager::set); the value is in force all the same.
            pub fn $setter(self, value: $given) -> Result<(), Error> {
                self.0.set(SettingsScope::Global, &$name, value)
            }
        }
    };
}

pub(super) use {accessors, settings};
