//! The program on a pseudo-terminal (`script` makes it), read through an emulator: what a person sees.

use std::fs;
use std::path::PathBuf;

use pi_test_kit::{Live, World};
use pi_tui::testing::Terminal;
use rustix::process::{Pid, Signal, kill_process};

/// The program on a terminal.
pub(crate) struct Screen {
    live: Live,
    pub(crate) terminal: Terminal,
    /// Everything that was written to it.
    pub(crate) written: String,
    pid_file: PathBuf,
}

impl Screen {
    /// Starts it with these arguments in a window of 80 columns and 24 rows.
    pub(crate) fn start(world: &World, arguments: &str) -> Self {
        Self::start_with(world, arguments, &[])
    }

    /// The same with these variables in the environment.
    pub(crate) fn start_with(world: &World, arguments: &str, variables: &[(&str, &str)]) -> Self {
        Self::run(world, &format!("exec \"$PI\" {arguments}"), variables, 24)
    }

    /// Runs a line of a shell, which may name the program as `$PI`, in a window of 80 columns and so many rows.
    pub(crate) fn run(world: &World, line: &str, variables: &[(&str, &str)], rows: u16) -> Self {
        let pid_file = world.root().join("pid");
        let _ = fs::remove_file(&pid_file);
        let line = format!("stty cols 80 rows {rows}; echo $$ > {}; {line}", pid_file.display());
        let mut shell = world.shell(&format!("exec script -qefc '{line}' /dev/null"));
        for (name, value) in [("TERM", "xterm-256color"), ("COLORTERM", "truecolor")].iter().chain(variables) {
            shell = shell.env(name, value);
        }
        Self { live: shell.start(), terminal: Terminal::new(80, rows), written: String::new(), pid_file }
    }

    /// Reads until the screen fits; answers what the terminal is asked.
    pub(crate) async fn until(&mut self, fits: impl Fn(&Terminal) -> bool) {
        while !fits(&self.terminal) {
            let Some(bytes) = self.live.some().await else {
                panic!("pi has ended:\n{}", self.terminal.transcript().join("\n"))
            };
            self.feed(&bytes);
            let answers = self.terminal.take_answers();
            if !answers.is_empty() {
                self.live.send(&answers).await;
            }
        }
    }

    fn feed(&mut self, bytes: &[u8]) {
        self.terminal.feed(bytes);
        self.written.push_str(&String::from_utf8_lossy(bytes));
    }

    /// Reads until this text is on the screen.
    pub(crate) async fn see(&mut self, text: &str) {
        self.until(|terminal| terminal.screen().contains(text)).await;
    }

    /// Reads until the program has written this.
    pub(crate) async fn until_written(&mut self, text: &str) {
        while !self.written.contains(text) {
            let Some(bytes) = self.live.some().await else { panic!("pi has ended:\n{}", self.terminal) };
            self.feed(&bytes);
        }
    }

    /// Types.
    pub(crate) async fn type_in(&mut self, text: &str) {
        self.live.send(text).await;
    }

    /// Everything that was shown, after the end of the program.
    pub(crate) async fn ended(mut self) -> (Vec<String>, Terminal) {
        while let Some(bytes) = self.live.some().await {
            self.feed(&bytes);
        }
        (self.terminal.transcript(), self.terminal)
    }

    /// The process of the program.
    pub(crate) fn pid(&self) -> i32 {
        fs::read_to_string(&self.pid_file).unwrap().trim().parse().unwrap()
    }

    /// Sends it a signal.
    pub(crate) fn kill(&self, signal: Signal) {
        kill_process(Pid::from_raw(self.pid()).unwrap(), signal).unwrap();
    }

    /// How many times it watches files.
    #[cfg(target_os = "linux")]
    pub(crate) fn watches(&self) -> usize {
        let files = fs::read_dir(format!("/proc/{}/fd", self.pid())).unwrap().flatten();
        files.filter(|file| fs::read_link(file.path()).is_ok_and(|name| name.ends_with("anon_inode:inotify"))).count()
    }
}
