//! Names of providers: those that newer programs gave to built-in ones count as well. Nothing is rewritten: what is read
//! keeps the name that it has.

/// GitHub Copilot, whose logins and requests have rules of their own.
pub(crate) const GITHUB_COPILOT: &str = "github-copilot";

/// New name, and the name under which the catalogue has the provider.
const RENAMED: [(&str, &str); 1] = [("azure", "azure-openai-responses")];

/// The built-in provider that a newer name means. A provider of one's own may have that name: ask only where none has.
pub fn provider_behind(name: &str) -> Option<&'static str> {
    RENAMED.iter().find(|(new, _)| *new == name).map(|(_, built_in)| *built_in)
}

/// The newer name of a built-in provider.
pub fn newer_provider_name(built_in: &str) -> Option<&'static str> {
    RENAMED.iter().find(|(_, known)| *known == built_in).map(|(new, _)| *new)
}

/// Whether two names mean the same provider, as far as names tell.
pub fn is_same_provider(a: &str, b: &str) -> bool {
    a == b || provider_behind(a).unwrap_or(a) == provider_behind(b).unwrap_or(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn newer_names_lead_to_the_catalogue_and_back() {
        for (new, built_in) in RENAMED {
            assert!(crate::get_providers().any(|known| known == built_in), "{built_in}");
            assert!(crate::get_providers().all(|known| known != new), "{new} is a provider by itself");
            assert_eq!((provider_behind(new), newer_provider_name(built_in)), (Some(built_in), Some(new)));
            assert!(is_same_provider(new, built_in) && is_same_provider(built_in, new) && is_same_provider(new, new));
        }
        assert_eq!((provider_behind("openai"), newer_provider_name("openai")), (None, None));
        assert!(!is_same_provider("azure", "openai"));
    }
}
