//! The program on a real pseudo-terminal, which `script` makes, read through an emulator.

use std::fs;
use std::path::PathBuf;
use std::time::Instant;

use pi_test_kit::{Live, PATIENCE, Pi, World};
use pi_tui::testing::Terminal;
use rustix::process::{Pid, Signal, kill_process};

/// Columns and rows of a window, unless a test is about another.
pub(crate) const SIZE: (u16, u16) = (80, 24);

/// A program on a terminal.
pub(crate) struct Screen {
    pub(crate) live: Live,
    pub(crate) terminal: Terminal,
    /// Everything that was written to it.
    pub(crate) written: String,
    pid_file: PathBuf,
}

impl Screen {
    /// Starts `pi` with these arguments, as a shell reads them.
    pub(crate) fn start(world: &World, arguments: &str) -> Self {
        Self::in_window(world, arguments, SIZE, |pi| pi)
    }

    /// The same with these variables in the environment.
    pub(crate) fn start_with(world: &World, arguments: &str, variables: &[(&str, &str)]) -> Self {
        Self::run(world, &format!("exec \"$PI\" {arguments}"), variables, SIZE.1)
    }

    /// The same in a window of another size, and with what else is to be set.
    pub(crate) fn in_window<'a>(
        world: &'a World,
        arguments: &str,
        size: (u16, u16),
        prepare: impl FnOnce(Pi<'a>) -> Pi<'a>,
    ) -> Self {
        Self::launch(world, &format!("exec \"$PI\" {arguments}"), size, prepare)
    }

    /// Runs a line of a shell, which may name the program as `$PI`, in a window of 80 columns and so many rows.
    pub(crate) fn run(world: &World, line: &str, variables: &[(&str, &str)], rows: u16) -> Self {
        Self::launch(world, line, (SIZE.0, rows), |shell| {
            variables.iter().fold(shell, |shell, (name, value)| shell.env(name, value))
        })
    }

    fn launch<'a>(
        world: &'a World,
        line: &str,
        (columns, rows): (u16, u16),
        prepare: impl FnOnce(Pi<'a>) -> Pi<'a>,
    ) -> Self {
        let pid_file = world.root().join("pid");
        let _ = fs::remove_file(&pid_file);
        let line = format!("stty cols {columns} rows {rows}; echo $$ > {}; {line}", pid_file.display());
        let shell = world.shell(&format!("exec script -qefc '{line}' /dev/null"));
        let shell = prepare(shell.env("TERM", "xterm-256color").env("COLORTERM", "truecolor"));
        Self { live: shell.start(), terminal: Terminal::new(columns, rows), written: String::new(), pid_file }
    }

    /// Reads what comes next, and answers what the terminal is asked.
    pub(crate) async fn read(&mut self) {
        let Some(bytes) = self.live.some().await else {
            panic!("pi has ended:\n{}", self.terminal.transcript().join("\n"))
        };
        self.feed(&bytes);
        let answers = self.terminal.take_answers();
        if !answers.is_empty() {
            self.live.send(&answers).await;
        }
    }

    fn feed(&mut self, bytes: &[u8]) {
        self.terminal.feed(bytes);
        self.written.push_str(&String::from_utf8_lossy(bytes));
    }

    /// Reads until the program has written this.
    pub(crate) async fn until_written(&mut self, text: &str) {
        while !self.written.contains(text) {
            self.read().await;
        }
    }

    /// Reads until the screen fits.
    pub(crate) async fn until(&mut self, fits: impl Fn(&Terminal) -> bool) {
        // A spinner never lets a read wait.
        let end = Instant::now() + PATIENCE;
        while !fits(&self.terminal) {
            let read = tokio::time::timeout_at(end.into(), self.read()).await;
            assert!(read.is_ok(), "not what is waited for:\n{}", self.terminal);
        }
    }

    /// Reads until the screen shows a text.
    pub(crate) async fn see(&mut self, text: &str) {
        self.until(|terminal| terminal.screen().contains(text)).await;
    }

    pub(crate) async fn type_in(&mut self, text: &str) {
        self.live.send(text).await;
    }

    /// Gives the window another size.
    pub(crate) fn resize(&mut self, columns: u16, rows: u16) {
        let size = ["cols".to_owned(), columns.to_string(), "rows".to_owned(), rows.to_string()];
        let terminal = format!("/proc/{}/fd/0", self.pid());
        let status = std::process::Command::new("stty").args(["-F", &terminal]).args(size).status();
        assert!(status.unwrap().success());
        self.terminal.resize(columns, rows);
    }

    /// Everything that was shown, after the end of the program.
    pub(crate) async fn ended(mut self) -> (Vec<String>, Terminal) {
        while let Some(bytes) = self.live.some().await {
            self.feed(&bytes);
        }
        (self.terminal.transcript(), self.terminal)
    }

    pub(crate) fn pid(&self) -> i32 {
        fs::read_to_string(&self.pid_file).unwrap().trim().parse().unwrap()
    }

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
