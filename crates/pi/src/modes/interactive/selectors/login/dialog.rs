//! A sign-in that goes on: the page and the code to be seen, a field for what is asked, and a way out.

use std::time::Instant;

use pi_coding_agent::config;
use pi_coding_agent::theme::Token;
use pi_tui::input::Input;
use pi_tui::keymap::{Keymap, action};
use pi_tui::text::{Line, wrap};
use pi_tui::widgets::input::{InputOutcome, TextInput};
use pi_tui::widgets::select::{SelectItem, SelectList, SelectOptions, SelectOutcome};
use tokio_util::sync::CancellationToken;

use super::super::super::app::App;
use super::super::super::dialogs::cancels;
use super::super::super::panel::{Panel, PanelReply, PanelRows, Question};
use super::super::super::styles;
use super::super::super::theme_styles::ThemeStyles;
use super::after_login;
use super::callbacks::{Ask, LoginCallbacks, LoginState};

/// How often the dialog looks at what was said, in milliseconds.
const LOOK_MS: u64 = 200;

/// Signs in to a provider.
pub(super) fn sign_in(app: &mut App, provider: String) {
    let auth = app.session.models().registry().auth().clone();
    let (talk, cancel) = (LoginCallbacks::new(app.env().clone()), CancellationToken::new());
    let title = format!("Sign in to {}", app.session.models().registry().display_name(&provider));
    let look = app.shared.look();
    app.open(Dialog {
        title,
        talk: talk.clone(),
        cancel: cancel.clone(),
        field: TextInput::new("> ", styles::input(&look)),
        list: None,
    });
    app.asked(Question::SignIn);
    let name = provider.clone();
    let work = tokio::spawn(async move {
        tokio::select! {
            done = auth.login(&name, &talk, &cancel) => done,
            () = cancel.cancelled() => Err(config::Error::Login(pi_ai::LoginError::Cancelled.into())),
        }
    });
    app.spawn(work, move |app, result| {
        app.take_back(Question::SignIn);
        match result {
            Ok(Ok(())) => after_login::has_key(app, &provider, "signed in"),
            Ok(Err(config::Error::Login(pi_ai::Error::Login(pi_ai::LoginError::Cancelled)))) => {
                app.status("The sign-in was cancelled; nothing was changed");
            }
            Ok(Err(error)) => app.error(error),
            Err(error) => app.error(error),
        }
    });
}

struct Dialog {
    title: String,
    talk: LoginCallbacks,
    cancel: CancellationToken,
    field: TextInput,
    /// The choices, while one is asked for.
    list: Option<SelectList>,
}

/// Whatever takes it away ends the sign-in.
impl Drop for Dialog {
    fn drop(&mut self) {
        self.cancel.cancel();
    }
}

impl Panel for Dialog {
    fn rows(&mut self, look: &ThemeStyles, keys: &Keymap, columns: u16, _height: u16) -> PanelRows {
        let mut out = PanelRows::titled(&self.title, look, columns);
        let state = self.talk.state();
        draw_messages(&mut out, &state, look, columns);
        let confirm = keys.hint(action::INPUT_SUBMIT);
        let mut hint = format!("{} cancel", keys.hint(action::SELECT_CANCEL));
        match &state.ask {
            Some(Ask::Select { prompt, .. }) => {
                out.paragraph(&prompt.message, look.text(), columns);
                let list = self.list.get_or_insert_with(|| {
                    let item = |label: &String| SelectItem { label: label.clone(), description: None };
                    let items = prompt.options.iter().map(|option| item(&option.label)).collect();
                    SelectList::new(items, SelectOptions::default(), styles::select(look))
                });
                out.rows.extend(list.rows(columns));
                hint = format!("{confirm} select · {hint}");
            }
            Some(ask) => {
                let (message, example) = match ask {
                    Ask::Text { prompt, .. } => (prompt.message.as_str(), prompt.placeholder.as_deref()),
                    _ => ("Or paste the code, or the address that the browser ended up at:", None),
                };
                out.paragraph(message, look.text(), columns);
                out.field(self.field.rows(columns));
                if let Some(example) = example.filter(|_| self.field.is_empty()) {
                    out.line(&Line::styled(format!("  for example {example}"), look.dim()), columns);
                }
                hint = format!("{confirm} submit · {hint}");
            }
            None => {}
        }
        out.blank();
        out.end(hint, look, columns);
        out
    }

    fn input(&mut self, input: &Input, keys: &Keymap) -> PanelReply {
        if cancels(input, keys) {
            self.cancel.cancel();
            return PanelReply::Close;
        }
        let mut state = self.talk.state();
        match &state.ask {
            None => PanelReply::Ignored,
            Some(Ask::Select { .. }) => {
                let Some(list) = &mut self.list else { return PanelReply::Stay };
                match list.handle(input, keys) {
                    SelectOutcome::Chosen(index) => {
                        if let Some(Ask::Select { prompt, reply }) = state.ask.take()
                            && let Some(option) = prompt.options.get(index)
                        {
                            let _ = reply.send(option.id.clone());
                        }
                        self.list = None;
                        PanelReply::Stay
                    }
                    SelectOutcome::Ignored => PanelReply::Ignored,
                    SelectOutcome::Moved | SelectOutcome::Cancelled => PanelReply::Stay,
                }
            }
            Some(Ask::Text { .. } | Ask::Paste { .. }) => match self.field.handle(input, keys) {
                InputOutcome::Submit(typed) => {
                    submit(&mut state, typed.trim());
                    self.field.clear();
                    PanelReply::Stay
                }
                InputOutcome::Ignored => PanelReply::Ignored,
                InputOutcome::Changed | InputOutcome::Moved => PanelReply::Stay,
            },
        }
    }

    fn moves_after_ms(&self) -> Option<u64> {
        Some(LOOK_MS)
    }
}

/// Hands a text on, unless it is empty where that is no answer.
fn submit(state: &mut LoginState, typed: &str) {
    let is_answer = match &state.ask {
        Some(Ask::Text { prompt, .. }) => prompt.allow_empty || !typed.is_empty(),
        _ => !typed.is_empty(),
    };
    if !is_answer {
        return;
    }
    if let Some(Ask::Text { reply, .. } | Ask::Paste { reply }) = state.ask.take() {
        // Who asked may have been answered by the browser meanwhile.
        let _ = reply.send(typed.to_owned());
    }
}

/// What the provider has said so far.
fn draw_messages(out: &mut PanelRows, state: &LoginState, look: &ThemeStyles, columns: u16) {
    if let Some((page, is_opened)) = &state.page {
        let what = if *is_opened { "The browser opens this page; if it does not, open it:" } else { "Open this page:" };
        out.paragraph(what, look.text(), columns);
        out.blank();
        link(out, &page.url, look, columns);
        out.blank();
        if let Some(instructions) = &page.instructions {
            out.paragraph(instructions, look.muted(), columns);
        }
    }
    if let Some((code, expires)) = &state.code {
        out.paragraph("Open this page on any device and enter the code:", look.text(), columns);
        out.blank();
        link(out, &code.verification_uri, look, columns);
        out.line(&Line::styled(format!("  {}", code.user_code), look.accent().bold()), columns);
        out.blank();
        let left = expires.map(|expires| expires.saturating_duration_since(Instant::now()).as_secs());
        let waiting = match left {
            Some(0) => "The code has expired".to_owned(),
            Some(left) => format!("Waiting; the code is good for {}:{:02}", left / 60, left % 60),
            None => "Waiting".to_owned(),
        };
        out.paragraph(&waiting, look.muted(), columns);
    }
    if let Some(progress) = &state.progress {
        out.paragraph(progress, look.muted(), columns);
    }
    if state.page.is_none() && state.code.is_none() && state.progress.is_none() && state.ask.is_none() {
        out.paragraph("One moment…", look.muted(), columns);
    }
}

/// An address from edge to edge, so that it can be copied; a link, where the terminal has them.
fn link(out: &mut PanelRows, url: &str, look: &ThemeStyles, columns: u16) {
    let mut line = Line::new();
    let target: std::sync::Arc<str> = url.into();
    line.push_linked(url, look.style(Token::MdLink), look.links.then_some(&target));
    for line in wrap(&line, usize::from(columns)) {
        out.line(&line, columns);
    }
}
