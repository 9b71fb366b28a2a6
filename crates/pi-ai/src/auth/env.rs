//! Provider id → environment variables that hold its key.
//!
//! Nothing here reads the process environment by itself; the caller says where variables come from.

use std::path::{Path, PathBuf};

use crate::model::Model;
use crate::options::StreamOptions;

pub use crate::secrets::AUTHENTICATED;

/// Where variables and credential files are looked up. Closures from name to value implement it.
pub trait Environment {
    /// The value of a variable; an empty one counts as unset.
    fn var(&self, name: &str) -> Option<String>;

    /// Whether a credential file exists.
    fn file_exists(&self, path: &Path) -> bool {
        path.exists()
    }
}

impl<F: Fn(&str) -> Option<String>> Environment for F {
    fn var(&self, name: &str) -> Option<String> {
        self(name)
    }
}

/// Variables of each provider, in priority order.
const KEYS: &[(&str, &[&str])] = &[
    ("github-copilot", &["COPILOT_GITHUB_TOKEN"]),
    ("anthropic", &["ANTHROPIC_OAUTH_TOKEN", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_API_KEY"]),
    ("ant-ling", &["ANT_LING_API_KEY"]),
    ("openai", &["OPENAI_API_KEY"]),
    ("azure-openai-responses", &["AZURE_OPENAI_API_KEY"]),
    ("nvidia", &["NVIDIA_API_KEY"]),
    ("deepseek", &["DEEPSEEK_API_KEY"]),
    ("google", &["GEMINI_API_KEY"]),
    ("google-vertex", &["GOOGLE_CLOUD_API_KEY"]),
    ("groq", &["GROQ_API_KEY"]),
    ("cerebras", &["CEREBRAS_API_KEY"]),
    ("xai", &["XAI_API_KEY"]),
    ("openrouter", &["OPENROUTER_API_KEY"]),
    ("vercel-ai-gateway", &["AI_GATEWAY_API_KEY"]),
    ("zai", &["ZAI_API_KEY"]),
    ("zai-coding-cn", &["ZAI_CODING_CN_API_KEY"]),
    ("mistral", &["MISTRAL_API_KEY"]),
    ("minimax", &["MINIMAX_API_KEY"]),
    ("minimax-cn", &["MINIMAX_CN_API_KEY"]),
    ("moonshotai", &["MOONSHOT_API_KEY"]),
    ("moonshotai-cn", &["MOONSHOT_API_KEY"]),
    ("huggingface", &["HF_TOKEN"]),
    ("fireworks", &["FIREWORKS_API_KEY"]),
    ("together", &["TOGETHER_API_KEY"]),
    ("kimi-coding", &["KIMI_API_KEY"]),
    ("opencode", &["OPENCODE_API_KEY"]),
    ("opencode-go", &["OPENCODE_API_KEY"]),
    ("cloudflare-workers-ai", &["CLOUDFLARE_API_KEY"]),
    ("cloudflare-ai-gateway", &["CLOUDFLARE_API_KEY"]),
    ("xiaomi", &["XIAOMI_API_KEY"]),
    ("xiaomi-token-plan-cn", &["XIAOMI_TOKEN_PLAN_CN_API_KEY"]),
    ("xiaomi-token-plan-ams", &["XIAOMI_TOKEN_PLAN_AMS_API_KEY"]),
    ("xiaomi-token-plan-sgp", &["XIAOMI_TOKEN_PLAN_SGP_API_KEY"]),
    ("baseten", &["BASETEN_API_KEY"]),
    ("meta", &["META_MODEL_API_KEY"]),
    ("qwen-token-plan", &["QWEN_TOKEN_PLAN_API_KEY"]),
    ("qwen-token-plan-cn", &["QWEN_TOKEN_PLAN_CN_API_KEY"]),
    ("qwen-token-plan-individual", &["QWEN_TOKEN_PLAN_INDIVIDUAL_API_KEY"]),
    ("qwen-token-plan-individual-cn", &["QWEN_TOKEN_PLAN_INDIVIDUAL_CN_API_KEY"]),
];

/// Sets of variables each of which means that Amazon's own credential chain will find something.
const BEDROCK_AMBIENT: &[&[&str]] = &[
    &["AWS_PROFILE"],
    &["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"],
    &["AWS_BEARER_TOKEN_BEDROCK"],
    &["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"],
    &["AWS_CONTAINER_CREDENTIALS_FULL_URI"],
    &["AWS_WEB_IDENTITY_TOKEN_FILE"],
];

/// Names the file with Google's application default credentials.
const NAMED_CREDENTIALS: &str = "GOOGLE_APPLICATION_CREDENTIALS";
/// Google's application default credentials, below the home directory.
const DEFAULT_CREDENTIALS: &str = ".config/gcloud/application_default_credentials.json";

/// The variables that may hold the key of a provider, in priority order; empty for an unknown provider.
pub fn env_key_names(provider: &str) -> &'static [&'static str] {
    KEYS.iter().find(|(name, _)| *name == provider).map_or(&[], |(_, variables)| variables)
}

/// Those of the provider's variables that are set; `None` when there is none.
pub fn find_env_keys(provider: &str, env: &impl Environment) -> Option<Vec<&'static str>> {
    let set: Vec<_> = env_key_names(provider).iter().copied().filter(|name| is_set(env, name)).collect();
    (!set.is_empty()).then_some(set)
}

/// The provider's key: the first variable that is set, or [`AUTHENTICATED`] where ambient credentials exist.
pub fn env_api_key(provider: &str, env: &impl Environment) -> Option<String> {
    let key = env_key_names(provider).iter().find_map(|name| value(env, name));
    key.or_else(|| ambient_variables(provider, env).is_some().then(|| AUTHENTICATED.to_owned()))
}

/// The variables that make a provider look for credentials of its cloud, which it finds by itself (profiles, roles, files);
/// `None` when they are not set, or for a provider without such credentials.
pub fn ambient_variables(provider: &str, env: &impl Environment) -> Option<Vec<&'static str>> {
    match provider {
        "google-vertex" => google_variables(env),
        "amazon-bedrock" => {
            let names = BEDROCK_AMBIENT.iter().find(|names| names.iter().all(|name| is_set(env, name)));
            names.map(|names| names.to_vec())
        }
        _ => None,
    }
}

fn google_variables(env: &impl Environment) -> Option<Vec<&'static str>> {
    let project = ["GOOGLE_CLOUD_PROJECT", "GCLOUD_PROJECT"].into_iter().find(|name| is_set(env, name))?;
    let location = Some("GOOGLE_CLOUD_LOCATION").filter(|name| is_set(env, name))?;
    google_credentials(env).filter(|path| env.file_exists(path))?;
    Some(vec![project, location])
}

/// The file with Google's application default credentials, which need not exist: the one that the environment names,
/// else that of the `gcloud` tool.
pub(crate) fn google_credentials(env: &impl Environment) -> Option<PathBuf> {
    let named = value(env, NAMED_CREDENTIALS).map(PathBuf::from);
    let home = || value(env, "HOME").or_else(|| value(env, "USERPROFILE"));
    named.or_else(|| Some(Path::new(&home()?).join(DEFAULT_CREDENTIALS)))
}

/// Whether the environment names that file: then it has to exist.
#[cfg(feature = "vertex")]
pub(crate) fn is_named_google_credentials(env: &impl Environment) -> bool {
    is_set(env, NAMED_CREDENTIALS)
}

fn value(env: &impl Environment, name: &str) -> Option<String> {
    env.var(name).filter(|value| !value.is_empty())
}

fn is_set(env: &impl Environment, name: &str) -> bool {
    value(env, name).is_some()
}

/// Fills in a missing or blank key from [`StreamOptions::env`] and the process environment.
pub(crate) fn with_env_key(model: &Model, mut options: StreamOptions) -> StreamOptions {
    if options.given_api_key().is_none() {
        options.api_key = env_api_key(&model.provider, &|name: &str| options.env_var(name));
    }
    options
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    struct Fake(BTreeMap<&'static str, &'static str>, Vec<&'static str>);

    impl Environment for Fake {
        fn var(&self, name: &str) -> Option<String> {
            self.0.get(name).map(|value| (*value).to_owned())
        }

        fn file_exists(&self, path: &Path) -> bool {
            self.1.iter().any(|file| path == Path::new(file))
        }
    }

    fn key(provider: &str, variables: &[(&'static str, &'static str)], files: &[&'static str]) -> Option<String> {
        env_api_key(provider, &Fake(variables.iter().copied().collect(), files.to_vec()))
    }

    #[test]
    fn the_first_variable_that_is_set_wins() {
        let both = [("ANTHROPIC_API_KEY", "k"), ("ANTHROPIC_OAUTH_TOKEN", "t")];
        assert_eq!(key("anthropic", &both, &[]).as_deref(), Some("t"));
        let blank = [("ANTHROPIC_API_KEY", "k"), ("ANTHROPIC_OAUTH_TOKEN", "")];
        assert_eq!(key("anthropic", &blank, &[]).as_deref(), Some("k"));
        assert_eq!(key("moonshotai-cn", &[("MOONSHOT_API_KEY", "m")], &[]).as_deref(), Some("m"));
        assert_eq!(key("openai", &both, &[]), None);
        assert_eq!(key("openai-codex", &[("OPENAI_API_KEY", "k")], &[]), None);
        assert_eq!(key("nobody", &both, &[]), None);
    }

    #[test]
    fn finds_the_names_that_are_set() {
        let env = Fake([("ANTHROPIC_API_KEY", "k"), ("ANTHROPIC_OAUTH_TOKEN", "t"), ("HF_TOKEN", "")].into(), vec![]);
        assert_eq!(find_env_keys("anthropic", &env), Some(vec!["ANTHROPIC_OAUTH_TOKEN", "ANTHROPIC_API_KEY"]));
        assert_eq!(find_env_keys("huggingface", &env), None);
        assert_eq!(find_env_keys("amazon-bedrock", &env), None);
        assert_eq!(find_env_keys("nobody", &env), None);
    }

    #[test]
    fn every_provider_of_the_table_finds_its_own_variable() {
        for (provider, variables) in KEYS {
            for variable in *variables {
                assert_eq!(key(provider, &[(variable, "v")], &[]).as_deref(), Some("v"), "{provider}");
            }
        }
    }

    #[test]
    fn vertex_needs_file_project_and_location() {
        let full = [("GCLOUD_PROJECT", "p"), ("GOOGLE_CLOUD_LOCATION", "l"), ("HOME", "/h")];
        let file = "/h/.config/gcloud/application_default_credentials.json";
        assert_eq!(key("google-vertex", &full, &[file]).as_deref(), Some(AUTHENTICATED));
        assert_eq!(key("google-vertex", &full, &[]), None);
        assert_eq!(key("google-vertex", &full[1..], &[file]), None);
        assert_eq!(key("google-vertex", &[full[0], full[2]], &[file]), None);
        // A named file replaces the default one, also when it does not exist.
        let named = [full[0], full[1], full[2], ("GOOGLE_APPLICATION_CREDENTIALS", "/adc.json")];
        assert_eq!(key("google-vertex", &named, &[file]), None);
        assert_eq!(key("google-vertex", &named, &["/adc.json"]).as_deref(), Some(AUTHENTICATED));
        let with_key = [named.as_slice(), &[("GOOGLE_CLOUD_API_KEY", "k")]].concat();
        assert_eq!(key("google-vertex", &with_key, &["/adc.json"]).as_deref(), Some("k"));
    }

    #[test]
    fn bedrock_is_ambient_only() {
        for names in BEDROCK_AMBIENT {
            let variables: Vec<_> = names.iter().map(|name| (*name, "v")).collect();
            assert_eq!(key("amazon-bedrock", &variables, &[]).as_deref(), Some(AUTHENTICATED));
        }
        assert_eq!(key("amazon-bedrock", &[("AWS_ACCESS_KEY_ID", "v")], &[]), None);
        assert_eq!(key("amazon-bedrock", &[("AWS_REGION", "v")], &[]), None);
    }

    #[test]
    fn an_explicit_key_wins_over_the_environment() {
        let model = Model { provider: "deepseek".into(), ..Model::default() };
        let env = BTreeMap::from([("DEEPSEEK_API_KEY".to_owned(), "from-env".to_owned())]);
        let resolved = |given: Option<&str>| {
            let options = StreamOptions { api_key: given.map(str::to_owned), env: env.clone(), ..Default::default() };
            with_env_key(&model, options).api_key
        };
        assert_eq!(resolved(Some("given")).as_deref(), Some("given"));
        assert_eq!(resolved(Some(" \n")).as_deref(), Some("from-env"));
        assert_eq!(resolved(None).as_deref(), Some("from-env"));
    }
}
