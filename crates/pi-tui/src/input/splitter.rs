//! Cuts what a terminal sends into keys, pastes, answers and changes of focus.
//!
//! No clock is here: whoever reads waits as long as [`Splitter::timeout`] says and then calls [`Splitter::flush`].

use std::time::Duration;

use super::control::Control;
use super::decode::Dialect;
use super::paste::{BEGIN, Paste, Pasted};
use super::reply::is_reply;
use super::sequence::{Head, head};
use super::{Input, KeyEvent, KeyKind, mouse};

/// How long to wait for the rest of what could be a key by itself, such as Escape.
const KEY_WAIT: Duration = Duration::from_millis(10);
/// How long to wait for the rest of what is no key by itself. Whoever gives up early sees the rest as typed text, and a slow
/// line cuts anywhere.
const REST_WAIT: Duration = Duration::from_millis(100);
/// The same for a report of the mouse, which nobody types: reports come in swarms, and the rest of one would be typed text.
const MOUSE_WAIT: Duration = Duration::from_secs(1);
/// Of a longer answer the middle is dropped, and then all of it.
const MOST_OF_REPLY: usize = 16 << 20;

/// Cuts bytes into [`Input`]s. However the bytes are cut, the inputs are the same; none is lost, none changes its place.
///
/// It follows the answers to the question for the keyboard's protocol, `CSI ? u`; [`set_kitty`](Self::set_kitty) is for
/// whoever turns the protocol off.
///
/// ```
/// use pi_tui::input::{Input, Key, KeyCode, Splitter};
///
/// let (mut splitter, mut inputs) = (Splitter::default(), Vec::new());
/// splitter.feed(b"\x1b[", &mut inputs);
/// assert!(inputs.is_empty() && splitter.timeout().is_some());
/// splitter.feed(b"A\x1b[200~text\x1b[201~", &mut inputs);
/// let Input::Key(key) = &inputs[0] else { unreachable!() };
/// assert!(key.matches(Key::plain(KeyCode::Up)));
/// assert_eq!(inputs[1], Input::Paste("text".to_owned()));
/// ```
#[derive(Debug, Default)]
pub struct Splitter {
    dialect: Dialect,
    /// What has begun and not ended.
    pending: Vec<u8>,
    /// How much of it holds no end of a string.
    seen: usize,
    /// It was too long to be kept.
    is_cut: bool,
    paste: Option<Paste>,
    /// What a key of Kitty's protocol typed: some terminals send it once more, as it is.
    twin: Option<String>,
}

impl Splitter {
    /// A splitter for a terminal that speaks so.
    pub fn new(dialect: Dialect) -> Self {
        Self { dialect, ..Self::default() }
    }

    /// Says whether Kitty's protocol is on: some bytes mean something else then.
    pub fn set_kitty(&mut self, is_on: bool) {
        self.dialect.kitty = is_on;
    }

    /// What the terminal speaks.
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// Takes what was read, and adds what is complete.
    pub fn feed(&mut self, bytes: &[u8], out: &mut Vec<Input>) {
        if self.pending.is_empty() {
            let left = self.take(bytes, out);
            self.pending.extend_from_slice(&bytes[bytes.len() - left..]);
        } else {
            let mut all = std::mem::take(&mut self.pending);
            all.extend_from_slice(bytes);
            let left = self.take(&all, out);
            all.drain(..all.len() - left);
            self.pending = all;
        }
        self.limit();
    }

    /// How long to wait for more before [`flush`](Self::flush) is to be called; nothing while nothing is held back.
    ///
    /// A paste is waited for without end: what comes after a pause would be typed, line by line, otherwise.
    pub fn timeout(&self) -> Option<Duration> {
        if self.paste.is_some() {
            return None;
        }
        match self.pending.as_slice() {
            [] => self.twin.is_some().then_some(KEY_WAIT),
            bytes if mouse::begins(bytes) => Some(MOUSE_WAIT),
            bytes => Some(if head(bytes, self.seen) == Head::Open { KEY_WAIT } else { REST_WAIT }),
        }
    }

    /// Nothing more has come: what is held back is all that there is.
    pub fn flush(&mut self, out: &mut Vec<Input>) {
        self.twin = None;
        if self.paste.is_some() || self.pending.is_empty() {
            return;
        }
        let raw = std::mem::take(&mut self.pending);
        let is_text = matches!(head(&raw, self.seen), Head::CutText(_));
        self.seen = 0;
        self.is_cut = false;
        out.push(if is_text { Input::Reply(raw) } else { Input::Key(KeyEvent::read(&raw, self.dialect)) });
    }

    /// Takes what is complete; returns how many bytes are left.
    fn take(&mut self, mut bytes: &[u8], out: &mut Vec<Input>) -> usize {
        while !bytes.is_empty() {
            if let Some(paste) = &mut self.paste {
                match paste.take(bytes) {
                    Pasted::Open(piece) => {
                        out.extend(piece.map(Input::Paste));
                        return 0;
                    }
                    Pasted::Whole(text, rest) => {
                        out.push(Input::Paste(text));
                        self.paste = None;
                        bytes = rest;
                        continue;
                    }
                }
            }
            let (raw, is_text) = match head(bytes, std::mem::take(&mut self.seen)) {
                Head::Whole(length) => (&bytes[..length], false),
                Head::Text(length) => (&bytes[..length], true),
                Head::CutText(seen) => {
                    self.seen = seen;
                    break;
                }
                Head::Open | Head::Cut => break,
            };
            bytes = &bytes[raw.len()..];
            self.add(raw, is_text, out);
        }
        bytes.len()
    }

    fn add(&mut self, raw: &[u8], is_text: bool, out: &mut Vec<Input>) {
        let twin = self.twin.take();
        let is_cut = std::mem::take(&mut self.is_cut);
        if is_text {
            if !is_cut {
                out.push(Input::Reply(raw.to_vec()));
            }
            return;
        }
        if twin.is_some_and(|twin| twin.as_bytes() == raw) {
            return;
        }
        if raw == BEGIN {
            self.paste = Some(Paste::default());
            return;
        }
        let input = self.meaning(raw);
        if let Input::Key(key) = &input {
            self.twin = key.text.clone().filter(|_| raw.len() > 1 && raw[0] == 0x1b && key.kind != KeyKind::Release);
        }
        out.push(input);
    }

    fn meaning(&mut self, raw: &[u8]) -> Input {
        match Control::new(raw) {
            Some(control) if is_reply(&control) => {
                self.follow(&control);
                Input::Reply(raw.to_vec())
            }
            // One that says nothing is no key either.
            Some(control) if mouse::is_report(&control) => {
                mouse::read(&control, raw).map_or_else(|| Input::Reply(raw.to_vec()), Input::Mouse)
            }
            _ => match raw {
                b"\x1b[I" => Input::Focus(true),
                b"\x1b[O" => Input::Focus(false),
                _ => Input::Key(KeyEvent::read(raw, self.dialect)),
            },
        }
    }

    /// The keyboard's flags say which protocol the keys after them follow.
    fn follow(&mut self, control: &Control<'_>) {
        if (control.prefix, control.last) == (Some(b'?'), b'u') {
            self.dialect.kitty = control.number(0).is_some_and(|flags| flags != 0);
        }
    }

    /// A string without end must not take all memory.
    fn limit(&mut self) {
        if self.pending.len() > MOST_OF_REPLY {
            let tail = self.pending.len() - usize::from(self.pending.ends_with(b"\x1b"));
            self.pending.drain(2..tail);
            self.seen = 2;
            self.is_cut = true;
        }
    }
}
