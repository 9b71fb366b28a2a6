//! The screen, as extensions meet it: what they read comes from the copy, what they say goes to the loop.

use std::sync::Arc;

use futures::FutureExt;
use futures::future::BoxFuture;
use pi_coding_agent::extension::{
    ActionKeys, CompleteFn, FooterFacts, InputHook, OverlayChange, Screen, View, ViewPlace, WidgetPlacement,
    WindowSize, WorkingChange,
};
use pi_coding_agent::theme::Theme;
use pi_tui::input::Input;

use super::super::app::App;
use super::super::completion::extensions;
use super::super::extension_slots::{Content, Slot};
use super::super::ui::TerminalUi;
use super::super::{input, theming};
use super::{editor, loan, mark, overlays, put};

impl Screen for TerminalUi {
    fn size(&self) -> WindowSize {
        self.mirror().read().window
    }

    fn keys(&self) -> Vec<ActionKeys> {
        self.mirror().read().keys.clone()
    }

    fn put_lines(&self, owner: &str, key: &str, lines: Option<Vec<String>>, placement: WidgetPlacement) {
        let (owner, place) = (owner.to_owned(), ViewPlace::Widget(key.to_owned(), placement));
        self.act_on(move |app| put(app, &owner, &place, lines.map(Content::Lines)));
    }

    fn put(&self, owner: &str, place: ViewPlace, view: Option<Arc<dyn View>>) {
        let owner = owner.to_owned();
        self.act_on(move |app| {
            let content = view.map(|view| Content::View(Slot::new(&owner, view)));
            put(app, &owner, &place, content);
        });
    }

    fn redraw(&self, view: &Arc<dyn View>) {
        let view = Arc::clone(view);
        self.act_on(move |app| mark(app, &view));
    }

    fn redraw_call(&self, call_id: &str) {
        let id = call_id.to_owned();
        self.act_on(move |app| app.transcript.redraw_call(&id));
    }

    fn change_overlay(&self, view: &Arc<dyn View>, change: OverlayChange) {
        let view = Arc::clone(view);
        self.act_on(move |app| overlays::change(app, &view, change));
    }

    fn editor_text(&self) -> String {
        self.mirror().read().text.clone()
    }

    fn paste(&self, text: &str) {
        let pasted = Input::Paste(text.to_owned());
        self.act_on(move |app| {
            if !editor::takes(app, &pasted) {
                app.prompt.handle(&pasted, &app.keys);
            }
        });
    }

    fn edited(&self, view: &Arc<dyn View>, text: &str) {
        let (view, text) = (Arc::clone(view), text.to_owned());
        self.act_on(move |app| editor::edited(app, &view, &text));
    }

    fn act(&self, action: &str) {
        let action = action.to_owned();
        self.act_on(move |app| {
            input::act(app, &action);
            if app.prompt.editor.is_empty() {
                editor::sent(app);
            }
        });
    }

    fn footer_facts(&self) -> FooterFacts {
        self.mirror().read().footer.clone()
    }

    fn set_working(&self, change: WorkingChange) {
        self.act_on(move |app| app.extensions.working.change(change));
    }

    fn set_hidden_thinking_label(&self, label: Option<&str>) {
        let label = label.map(str::to_owned);
        self.act_on(move |app| app.shared.set_thinking_label(label));
    }

    fn is_expanded(&self) -> bool {
        self.mirror().read().is_expanded
    }

    fn set_expanded(&self, is_expanded: bool) {
        self.mirror().read().is_expanded = is_expanded;
        self.act_on(move |app| app.shared.set_expanded(is_expanded));
    }

    fn hook_input(&self, owner: &str, hook: Arc<InputHook>) -> u64 {
        let (number, owner) = (self.numbers.next(), owner.to_owned());
        self.act_on(move |app| app.extensions.hooks.add(number, &owner, hook));
        number
    }

    fn unhook_input(&self, number: u64) {
        self.act_on(move |app| app.extensions.hooks.remove(number));
    }

    fn complete_with(&self, _owner: &str, marks: Vec<char>, complete: Arc<CompleteFn>) {
        self.act_on(move |app| extensions::add(app, marks, complete));
    }

    fn theme(&self, name: Option<&str>) -> Option<Theme> {
        let copied = self.mirror().read();
        let Some(name) = name else { return copied.theme.clone() };
        let themes = copied.session.as_ref()?.resources();
        themes.themes().get(name).ok().map(|theme| (*theme).clone())
    }

    fn themes(&self) -> Vec<(String, Option<String>)> {
        let copied = self.mirror().read();
        let Some(session) = &copied.session else { return Vec::new() };
        let resources = session.resources();
        let themes = resources.themes();
        let path = |name: &str| themes.get(name).ok()?.source().map(|source| source.path.clone());
        themes.names().into_iter().map(|name| (name.to_owned(), path(name))).collect()
    }

    fn set_theme(&self, name: &str) -> Result<(), String> {
        let session = self.mirror().read().session.clone();
        let session = session.ok_or_else(|| "There is no session yet".to_owned())?;
        let theme = session.resources().themes().get(name).map_err(|error| error.to_string())?;
        self.mirror().read().theme = Some((*theme).clone());
        session.settings().interface().set_theme(name).map_err(|error| error.to_string())?;
        self.act_on(|app: &mut App| theming::reload(app));
        Ok(())
    }

    fn lend_terminal(&self) -> BoxFuture<'static, Option<Box<dyn Send>>> {
        loan::ask(self).boxed()
    }
}
