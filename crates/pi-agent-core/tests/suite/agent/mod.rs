//! The loop's behaviour, one module per theme. Notation: `S(x)`/`E(x)` message start and end, `U` an update,
//! `xs`/`xu`/`xe` a tool execution's start, update and end (`!` marks a failure), `turn_end(n)` with n results,
//! `agent_end(n)` with n messages.
//!
//! Which test pins which order of events:
//!
//! | Scenario | Test |
//! |---|---|
//! | plain answer | `plain::a_plain_answer` |
//! | provider sends only the final message | `plain::an_answer_without_a_start` |
//! | one tool, with progress | `tools::one_tool_with_progress` |
//! | parallel, the second faster | `parallel::calls_end_as_they_finish_and_report_in_source_order` |
//! | parallel with an unknown tool in the middle | `parallel::an_unknown_tool_fails_at_once_without_disturbing_the_others` |
//! | sequential by setting or by one tool | `tools::sequential_by_setting_or_by_one_tool` |
//! | steering during tools, one at a time | `queues::steering_is_delivered_one_per_turn` |
//! | steering during tools, all | `queues::or_all_at_once` |
//! | steering queued before the first call | `queues::steering_queued_before_the_prompt_joins_its_first_turn` |
//! | follow-ups, one at a time | `queues::follow_ups_are_delivered_when_the_run_would_stop` |
//! | abort while streaming | `abort::while_streaming` |
//! | abort while parallel tools run | `abort::while_parallel_tools_run` |
//! | abort while a sequential tool runs | `abort::while_a_sequential_tool_runs` |
//! | provider error | `errors::a_provider_error_ends_the_run` |
//! | error message that contains tool calls | `errors::a_failed_message_ends_the_run_and_its_calls_are_not_run` |
//! | length stop, text only | `plain::an_answer_cut_by_its_length` |
//! | length stop with tool calls | `tools::calls_of_a_message_cut_by_its_length_are_run` |
//! | tool throws, arguments are invalid | `tools::failures_are_results_and_the_loop_goes_on` |
//! | call blocked | `hooks::a_blocked_call_is_a_result_and_the_loop_goes_on` |
//! | all results terminate, one of two terminates | `tools::a_batch_ends_the_run_when_every_result_asks_for_it` |
//! | terminate with queued steering | `queues::steering_goes_on_after_a_terminating_batch` |
//! | `should_stop_after_turn` | `hooks::stopping_after_a_turn_leaves_the_queues_alone` |
//! | stream function rejects | `errors::a_stream_function_that_fails_becomes_a_message` |
//! | a listener fails | `errors::a_listener_that_fails_ends_the_run_in_order` |

mod abort;
mod adapters;
mod bare;
mod bounds;
mod corrections;
mod errors;
mod hooks;
mod left_behind;
mod nested;
mod panics;
mod parallel;
mod plain;
mod queues;
mod settings;
mod support;
mod tools;
mod typed;
mod well_formed;
