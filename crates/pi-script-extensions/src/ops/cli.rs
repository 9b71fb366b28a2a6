//! The command line, as the program reads it: `parseArgs` in `js/pi-coding-agent/cli.js`.

use pi_script::OpError;

use super::Ops;

pub(super) fn add(ops: &mut Ops<'_>) {
    ops.sync("cli.parse", |host, _, mut args| {
        let Some(parse) = host.options.parse_command_line else {
            return Err(OpError::new("parseArgs is not available here: this program has no command line of pi"));
        };
        Ok(parse(args.parse::<Vec<String>>(0)?).into())
    });
}
