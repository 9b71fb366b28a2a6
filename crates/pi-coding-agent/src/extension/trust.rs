//! Asks extensions whether a project is trusted, before there is a session.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use super::context::{Mode, TrustContext};
use super::events::{Event, ProjectTrustEvent, TrustAnswer};
use super::runner::ExtensionRunner;
use super::ui::ExtensionUi;

/// What extensions say of a project.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TrustReply {
    /// The first yes or no; `None` leaves it to the stored decision and the settings.
    pub decision: Option<TrustVerdict>,
    /// What went wrong, for the user.
    pub warnings: Vec<String>,
}

/// A yes or a no.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TrustVerdict {
    /// Whether the project is trusted.
    pub trusted: bool,
    /// Whether that is to be stored for later runs.
    pub remember: bool,
}

/// Asks the extensions in turn until one says yes or no. The caller sees to it that none of them comes from the project
/// itself, and asks only where neither the command line has decided nor the project is free of what needs trust. What
/// they answer comes before stored decisions.
pub async fn ask_trust(runner: &ExtensionRunner, cwd: &Path, mode: Mode, ui: Arc<dyn ExtensionUi>) -> TrustReply {
    let runtime = runner.runtime();
    let earlier = runtime.take_early_reports();
    let context = TrustContext { cwd: cwd.to_owned(), mode, ui: runtime.watched(ui) };
    let mut decision = None;
    let asked = runner.fold_in(ProjectTrustEvent { cwd: cwd.to_owned() }, &context, None, |_, outcome| {
        let trusted = match outcome.trusted {
            TrustAnswer::Yes => true,
            TrustAnswer::No => false,
            TrustAnswer::Undecided => return ControlFlow::Continue(()),
        };
        decision = Some(TrustVerdict { trusted, remember: outcome.remember });
        ControlFlow::Break(())
    });
    asked.await;
    let (own, others): (Vec<_>, Vec<_>) =
        runtime.take_early_reports().into_iter().partition(|report| report.event == ProjectTrustEvent::NAME);
    earlier.into_iter().chain(others).for_each(|report| runtime.report_early(report));
    let warning = |report: super::ExtensionError| {
        format!("Extension \"{}\" project_trust error: {}", report.extension_path, report.error)
    };
    TrustReply { decision, warnings: own.into_iter().map(warning).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extension::events::TrustOutcome;
    use crate::extension::{DialogOptions, HandlerError, LoadOptions, NoUi, extension_fn, load_extensions};

    /// Says yes to everything, after a while.
    struct Slow;

    impl ExtensionUi for Slow {
        fn confirm(&self, _: &str, _: &str, _: DialogOptions) -> futures::future::BoxFuture<'_, bool> {
            Box::pin(async {
                tokio::time::sleep(std::time::Duration::from_millis(60)).await;
                true
            })
        }
    }

    type Answer = fn(TrustContext) -> futures::future::BoxFuture<'static, Result<TrustOutcome, HandlerError>>;

    async fn ask(answers: &[(&'static str, Answer)]) -> TrustReply {
        let extensions: Vec<_> = answers
            .iter()
            .map(|(name, answer)| {
                let answer = *answer;
                extension_fn(*name, move |pi| async move {
                    pi.on(move |_: ProjectTrustEvent, context| answer(context));
                    Ok(())
                })
            })
            .collect();
        let handler_timeout = Some(std::time::Duration::from_millis(20));
        let loaded = load_extensions(&extensions, LoadOptions { handler_timeout, ..LoadOptions::default() }).await;
        ask_trust(&loaded.runner, Path::new("/project"), Mode::Rpc, Arc::new(Slow)).await
    }

    const NO_WORD: Answer = |_| Box::pin(async { Ok(TrustOutcome::default()) });
    const FAILS: Answer = |_| Box::pin(async { Err("no idea".into()) });
    const PANICS: Answer = |_| Box::pin(async { panic!("oh") });
    const YES: Answer = |context| {
        Box::pin(async move {
            let text = context.cwd.display().to_string();
            let trusted = context.ui.confirm(&text, "?", DialogOptions::default()).await;
            let trusted = if trusted { TrustAnswer::Yes } else { TrustAnswer::Undecided };
            Ok(TrustOutcome { trusted, remember: true })
        })
    };
    const NO: Answer = |_| Box::pin(async { Ok(TrustOutcome { trusted: TrustAnswer::No, remember: false }) });

    #[tokio::test]
    async fn the_first_yes_or_no_counts_and_failures_are_warnings() {
        let warning = |name: &str, text: &str| format!("Extension \"{name}\" project_trust error: {text}");
        let verdict = |trusted, remember| Some(TrustVerdict { trusted, remember });
        for (answers, decision, warnings) in [
            (&[][..], None, vec![]),
            (&[("a", NO_WORD)], None, vec![]),
            (&[("a", NO_WORD), ("b", YES), ("c", NO)], verdict(true, true), vec![]),
            (&[("a", NO), ("b", YES)], verdict(false, false), vec![]),
            (&[("a", FAILS), ("b", NO)], verdict(false, false), vec![warning("a", "no idea")]),
            (&[("a", PANICS), ("b", FAILS)], None, vec![warning("a", "It panicked: oh"), warning("b", "no idea")]),
        ] {
            assert_eq!(ask(answers).await, TrustReply { decision, warnings });
        }
    }

    #[tokio::test]
    async fn reports_of_others_are_kept() {
        let loaded = load_extensions(&[], LoadOptions::default()).await;
        let report = crate::extension::ExtensionError::new("x", "load", &"bad".into());
        loaded.runner.runtime().report_early(report.clone());
        let reply = ask_trust(&loaded.runner, Path::new("/"), Mode::Print, Arc::new(NoUi)).await;
        assert_eq!(reply, TrustReply::default());
        assert_eq!(loaded.runner.runtime().take_early_reports(), [report]);
    }
}
