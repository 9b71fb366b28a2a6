//! `pi session …`: what the doctor finds and repairs, and the commands as a user meets them.

mod bad_input;
mod commands;
mod examine;
mod removal;
mod repair;
mod samples;
mod world;
