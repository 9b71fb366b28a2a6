//! Tool calls and their results on the current branch: the model expects each call to be followed by its result.

use std::collections::BTreeMap;

use super::finding::Finding;
use super::kind_table::FindingKind;
use super::line_object::Content;
use super::plan::Plan;
use super::survey::{Report, Survey};

/// Looks for calls without a result and results without a call, from the root to the last entry.
pub(super) fn check_turns(report: &mut Report, survey: &Survey, plan: &Plan) {
    let mut open: BTreeMap<&str, Call> = BTreeMap::new();
    for place in branch(survey, plan) {
        let node = &survey.nodes[place];
        match &node.content {
            Content::Calls { ids, failed } => {
                close(report, survey, &mut open);
                open.extend(ids.iter().map(|id| (id.as_ref(), Call { place, answered: *failed })));
            }
            Content::Result(id) => match open.get_mut(id.as_ref()) {
                Some(call) => call.answered = true,
                None => {
                    let detail = format!("a result of call {id}");
                    report.add(Finding::new(FindingKind::ResultWithoutCall, node.place, detail));
                }
            },
            _ => {}
        }
    }
    close(report, survey, &mut open);
}

struct Call {
    place: usize,
    /// Or of an answer that failed: its calls are not run.
    answered: bool,
}

fn close(report: &mut Report, survey: &Survey, open: &mut BTreeMap<&str, Call>) {
    for (id, call) in std::mem::take(open) {
        if !call.answered {
            let detail = format!("no result of call {id}");
            report.add(Finding::new(FindingKind::CallWithoutResult, survey.nodes[call.place].place, detail));
        }
    }
}

/// From the root to the last entry.
fn branch(survey: &Survey, plan: &Plan) -> Vec<usize> {
    let leaf = (0..survey.nodes.len()).rev().find(|place| !plan.is_copy(*place));
    let mut path: Vec<usize> = std::iter::successors(leaf, |place| plan.links.parents[*place]).collect();
    path.reverse();
    path
}
