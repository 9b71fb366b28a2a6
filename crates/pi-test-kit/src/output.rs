//! A program that has ended, and what it printed: shared by the targets whose worlds only run `pi` and look.

use std::process::Command;

/// A program that has ended.
#[derive(Debug, PartialEq, Eq)]
pub struct Finished {
    /// Its exit code.
    pub code: i32,
    /// What it printed, masked.
    pub stdout: String,
    /// What it complained of, masked.
    pub stderr: String,
}

impl Finished {
    /// Runs it; `mask` replaces what differs between runs in what it prints.
    pub fn of(mut command: Command, mask: impl Fn(&str) -> String) -> Self {
        let output = command.output().unwrap();
        let text = |bytes: Vec<u8>| mask(&String::from_utf8(bytes).unwrap());
        let run =
            Self { code: output.status.code().unwrap(), stdout: text(output.stdout), stderr: text(output.stderr) };
        assert!(!run.stderr.contains("panicked"), "{}", run.stderr);
        run
    }

    /// What a run that went well printed.
    pub fn success(self) -> String {
        assert_eq!((self.code, self.stderr.as_str()), (0, ""), "{}", self.stdout);
        self.stdout
    }

    /// The run as on a terminal: the command line, output, complaints and exit code.
    pub fn transcript(&self, line: &str) -> String {
        let complaints: String = self.stderr.lines().map(|line| format!("2> {line}\n")).collect();
        format!("$ {line}\n{}{complaints}[{}]\n\n", self.stdout, self.code)
    }
}
