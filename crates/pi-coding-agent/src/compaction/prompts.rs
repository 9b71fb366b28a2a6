//! What the summarising model is told. The headings are part of the format; the words around them are ours.

/// The system prompt of every summary request.
pub(super) const SYSTEM: &str = "\
You write summaries of conversations between a user and an AI assistant, so that the work can go on without the \
original text. Keep exactly to the format that is asked for. You take no part in the conversation: do not continue it \
and do not answer questions in it. Write the summary and nothing else.";

/// Instructions for a first summary.
pub(super) const INITIAL: &str = "\
Above is a conversation. Another model will continue the work with your summary in its place, so put down what it \
needs.

Use this format:

## Goal
[what the user wants; several goals if there are]

## Constraints & Preferences
- [requirements, limits and wishes that the user stated]
- [or \"(none)\" if there are none]

## Progress
### Done
- [x] [finished work]

### In Progress
- [ ] [work that was begun]

### Blocked
- [what stands in the way, if anything]

## Key Decisions
- **[decision]**: [why, in brief]

## Next Steps
1. [what to do next, in order]

## Critical Context
- [facts, data and references without which the work cannot go on]
- [or \"(none)\" if there are none]

Be brief in every section. Give file paths, names of functions and error messages exactly as they are.";

/// Instructions for a summary that carries an earlier one on.
pub(super) const UPDATE: &str = "\
Above is a conversation, and before your instructions the summary of everything that preceded it. Bring the summary up \
to date:
- keep what it says, unless it no longer matters
- add what is new: progress, decisions, facts
- move work that was finished from In Progress to Done
- renew Next Steps to fit where the work stands
- give file paths, names of functions and error messages exactly as they are

Use this format:

## Goal
[the earlier goals, and new ones if the task grew]

## Constraints & Preferences
- [the earlier ones and new ones]

## Progress
### Done
- [x] [everything finished, earlier and now]

### In Progress
- [ ] [what is being worked on now]

### Blocked
- [what stands in the way now, if anything]

## Key Decisions
- **[decision]**: [why, in brief; earlier ones too]

## Next Steps
1. [what to do next, in order]

## Critical Context
- [what mattered before and still does, and what is new]

Be brief in every section.";

/// Instructions for the beginning of a turn whose end is kept.
pub(super) const TURN_PREFIX: &str = "\
Above is the beginning of one long turn of a conversation. The end of the turn is kept as it is and follows your \
summary; put down what is needed to understand it.

Use this format:

## Original Request
[what the user asked for in this turn]

## Early Progress
- [what was done and decided in this part]

## Context for Suffix
- [facts that the rest of the turn builds on]

Be brief. Leave out what the rest of the turn does not need.";

/// Stands for a branch on which nothing was said.
pub(super) const NOTHING_ON_BRANCH: &str = "No content to summarize";

/// What precedes the summary of a branch, for the model that reads it.
pub(super) const BRANCH_PREAMBLE: &str = "\
The user tried another branch of this conversation and then came back here.
What happened on that branch:";

/// Instructions for the summary of a branch that is left.
pub(super) const BRANCH: &str = "\
Above is a branch of a conversation that the user now leaves to go on from an earlier point. Put down what was tried and \
learned on it, so that it need not be found out again.

Use this format:

## Goal
[what the user wanted on this branch]

## Constraints & Preferences
- [requirements, limits and wishes that the user stated]
- [or \"(none)\" if there are none]

## Progress
### Done
- [x] [finished work]

### In Progress
- [ ] [work that was begun]

### Blocked
- [what stood in the way, if anything]

## Key Decisions
- **[decision]**: [why, in brief]

## Next Steps
1. [what would have come next, in order]

Be brief in every section. Give file paths, names of functions and error messages exactly as they are.";
