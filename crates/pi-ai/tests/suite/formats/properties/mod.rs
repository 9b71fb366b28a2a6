//! Properties of the requests of every built-in api, for any conversation.
//!
//! - A request keeps the rules of its api (`rules`), whatever the transcript looks like.
//! - Results that follow their calls reach the model.
//! - A turn that is appended leaves the earlier part of the request as it was, to the byte, so that the provider's
//!   prompt cache holds (`prefix`).

mod prefix;
mod rules;
mod target;
mod transcript;

use proptest::prelude::*;

pub(crate) use target::options;
use target::targets;

#[test]
fn the_first_formats_are_among_the_targets() {
    for api in ["anthropic-messages", "mistral-conversations", "openai-completions"] {
        assert!(targets().any(|target| target.api == api), "{api}");
    }
}

/// Every case makes a request for every target, so few cases look at much; `PROPTEST_CASES` asks for more.
fn config() -> ProptestConfig {
    let cases = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(64);
    ProptestConfig { cases, max_shrink_iters: 4000, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn any_transcript_makes_a_legal_request(steps in transcript::steps(), accepts_images in any::<bool>()) {
        for target in targets() {
            let (messages, must_arrive) = transcript::messages(&steps, target);
            let body = target.body(messages, accepts_images);
            let judged = (target.rules)(&body);
            prop_assert!(judged.is_ok(), "{} {}: {} in {body:#}", target.api, target.model, judged.unwrap_err());
            let text = body.to_string();
            for result in must_arrive {
                prop_assert!(text.contains(&result), "{} {}: {result} is lost in {body:#}", target.api, target.model);
            }
        }
    }

    #[test]
    fn an_appended_turn_leaves_the_earlier_request_alone(
        steps in transcript::steps(),
        turn in transcript::turn(),
        accepts_images in any::<bool>(),
    ) {
        for target in targets() {
            let all: Vec<_> = steps.iter().chain(&turn).cloned().collect();
            let before = target.body(transcript::messages(&steps, target).0, accepts_images);
            let after = target.body(transcript::messages(&all, target).0, accepts_images);
            let kept = prefix::check(&before, &after);
            prop_assert!(kept.is_ok(), "{} {}: {}", target.api, target.model, kept.unwrap_err());
        }
    }
}
