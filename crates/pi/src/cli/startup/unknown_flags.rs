//! Options that neither the program nor an extension knows.

use super::Startup;
use crate::cli::grammar::scan::{similar_option, unknown_option};

impl Startup {
    /// Options that nobody knows, with dashes.
    pub(super) fn unknown_flags(&self) -> Vec<String> {
        self.line.unknown_flags.iter().map(|flag| format!("--{}", flag.name)).collect()
    }

    pub(super) fn report_unknown_flags(&mut self) {
        let (flags, known) = (self.unknown_flags(), self.extensions.flag_names());
        match flags.as_slice() {
            [] => {}
            [flag] => self.diagnostics.error(unknown_option(flag, &known)),
            flags => {
                let similar = flags.iter().filter_map(|flag| Some((flag, similar_option(flag, &known)?)));
                let hints: String =
                    similar.map(|(flag, name)| format!("\nDid you mean --{name} in place of {flag}?")).collect();
                self.diagnostics.error(format!("Unknown options: {}{hints}", flags.join(", ")));
            }
        }
    }
}
