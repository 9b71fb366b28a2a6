//! The session's entries: `ctx.sessionManager`.

use pi_script::Args;

use super::{Ops, context_number, sessions};
use crate::errors::failed;

pub(super) fn add(ops: &mut Ops<'_>) {
    for question in sessions::FACTS.iter().chain(sessions::ENTRIES) {
        ops.sync(&format!("sm.{question}"), move |host, _, mut args| {
            let context = host.contexts.context(context_number(&mut args)?)?;
            let mut args = Args(args.0.into_iter().skip(1).collect());
            context.with_manager(|manager| sessions::ask(manager, question, &mut args)).map_err(failed)?
        });
    }
}
