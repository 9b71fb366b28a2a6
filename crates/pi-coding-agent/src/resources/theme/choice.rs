//! What the setting `theme` means.

/// Which theme is wanted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ThemeChoice {
    /// This one.
    One(String),
    /// One or the other, as the terminal is.
    Pair {
        /// For light terminals.
        light: String,
        /// For dark terminals.
        dark: String,
    },
}

impl ThemeChoice {
    /// Reads the setting: a name, or `light/dark`.
    pub fn parse(setting: &str) -> Self {
        match setting.split_once('/') {
            Some((light, dark)) => Self::Pair { light: light.trim().to_owned(), dark: dark.trim().to_owned() },
            None => Self::One(setting.trim().to_owned()),
        }
    }

    /// The name of the theme for a terminal whose background is dark or not.
    pub fn name(&self, is_dark: bool) -> &str {
        match self {
            Self::One(name) => name,
            Self::Pair { dark, .. } if is_dark => dark,
            Self::Pair { light, .. } => light,
        }
    }

    /// All names in it.
    pub fn names(&self) -> Vec<&str> {
        match self {
            Self::One(name) => vec![name],
            Self::Pair { light, dark } => vec![light, dark],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_or_a_pair() {
        for (setting, light, dark) in
            [("nord", "nord", "nord"), ("day/night", "day", "night"), (" a / b ", "a", "b"), ("light/", "light", "")]
        {
            let choice = ThemeChoice::parse(setting);
            assert_eq!((choice.name(false), choice.name(true)), (light, dark), "{setting}");
        }
        assert_eq!(ThemeChoice::parse("a/b").names(), ["a", "b"]);
    }
}
