//! The list of sessions: what is in it, and in which order. Who shows it learns what was chosen.

use std::path::PathBuf;

use pi_coding_agent::session::SessionInfo;
use pi_tui::widgets::input::TextInput;
use pi_tui::widgets::select::Selection;

use super::order::{ListedSession, Sort, threaded};
use super::query::{Query, title};
use super::work::{Change, Changed, Hit, Listing, Scope, Search, Source};

/// So many sessions are seen at once.
pub(super) const VISIBLE: usize = 10;

/// What follows from a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum PickerResult {
    /// It means nothing here.
    Ignored,
    /// Something may look otherwise.
    Stay,
    /// No session is wanted.
    Cancelled,
    /// This one is.
    Chosen(Box<SessionInfo>),
    /// The open session gets this name.
    NameCurrent(String),
}

/// What the keys are for.
#[derive(Debug)]
pub(super) enum Doing {
    /// Choosing.
    List,
    /// Saying whether a session is really to be removed.
    Remove(PathBuf),
    /// Typing a name.
    Rename(PathBuf, Box<TextInput>),
}

/// A word about what was done or cannot be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum PickerNotice {
    Fine(String),
    Failed(String),
}

/// The list.
#[derive(Debug)]
pub(in crate::modes::interactive) struct Picker {
    pub(super) source: Source,
    /// The session that is open.
    pub(super) current: Option<PathBuf>,
    pub(super) may_rename: bool,
    pub(super) scope: Scope,
    pub(super) sort: Sort,
    pub(super) named_only: bool,
    pub(super) shows_paths: bool,
    pub(super) input: TextInput,
    pub(super) selection: Selection,
    pub(super) places: Vec<ListedSession>,
    pub(super) doing: Doing,
    pub(super) told: Option<PickerNotice>,
    pub(super) listing: Option<Listing>,
    /// The lists that were read, by scope.
    read: [Option<Vec<SessionInfo>>; 2],
    query: Query,
    search: Option<Search>,
    /// The revision of the search that the list shows.
    searched: u64,
    pub(super) change: Option<Change>,
}

impl Picker {
    /// The sessions of a directory; `current` is the one that is open.
    pub(in crate::modes::interactive) fn new(source: Source, current: Option<PathBuf>, may_rename: bool) -> Self {
        let listing = Some(Listing::start(&source, Scope::Folder));
        Self {
            source,
            current,
            may_rename,
            scope: Scope::Folder,
            sort: Sort::Threaded,
            named_only: false,
            shows_paths: false,
            input: TextInput::new("> ", pi_tui::widgets::input::InputStyle::default()),
            selection: Selection::new(0, VISIBLE),
            places: Vec::new(),
            doing: Doing::List,
            told: None,
            listing,
            read: [None, None],
            query: Query::default(),
            search: None,
            searched: 0,
            change: None,
        }
    }

    /// Whether something goes on beside, so that it has to be looked at again soon.
    pub(super) fn is_busy(&self) -> bool {
        // What was found after the last look has still to be shown.
        let is_behind =
            self.search.as_ref().is_some_and(|search| search.is_running() || search.revision() != self.searched);
        self.listing.is_some() || self.change.is_some() || is_behind
    }

    /// Whether messages are searched.
    pub(super) fn is_searching(&self) -> bool {
        self.search.as_ref().is_some_and(Search::is_running)
    }

    /// Takes what has come meanwhile.
    pub(super) fn refresh(&mut self) {
        if let Some(sessions) = self.listing.as_ref().and_then(Listing::take) {
            self.listing = None;
            self.read[self.scope as usize] = Some(sessions);
            self.arrange();
        }
        if let Some(changed) = self.change.as_ref().and_then(Change::take) {
            self.change = None;
            self.changed(changed);
        }
        let revision = self.search.as_ref().map_or(0, Search::revision);
        if revision != self.searched {
            self.searched = revision;
            self.arrange();
        }
    }

    /// The sessions of the scope, as far as they are read.
    pub(super) fn sessions(&self) -> &[SessionInfo] {
        self.read[self.scope as usize].as_deref().unwrap_or_default()
    }

    /// The session that is selected.
    pub(super) fn selected(&self) -> Option<&SessionInfo> {
        let place = self.places.get(self.selection.selected()?)?;
        self.sessions().get(place.index)
    }

    /// What was found in a session, the best of it.
    pub(super) fn hit(&self, session: &SessionInfo) -> Option<Hit> {
        let search = self.search.as_ref()?;
        let hits = (0..self.query.terms.len()).filter_map(|term| search.hit(term, &session.path));
        hits.max_by_key(|hit| hit.score)
    }

    pub(super) fn changed(&mut self, changed: Result<Changed, String>) {
        match changed {
            Ok(Changed::Removed(file, removed)) => {
                self.told = Some(PickerNotice::Fine(format!("The session is {}", removed.as_str())));
                self.everywhere(|sessions| sessions.retain(|session| session.path != file));
            }
            Ok(Changed::Renamed(file, name)) => {
                self.told = Some(PickerNotice::Fine(format!("The session is called {name}")));
                self.everywhere(|sessions| {
                    for session in sessions.iter_mut().filter(|session| session.path == file) {
                        session.name = Some(name.clone());
                    }
                });
            }
            Err(error) => self.told = Some(PickerNotice::Failed(error)),
        }
        self.arrange();
    }

    fn everywhere(&mut self, change: impl Fn(&mut Vec<SessionInfo>)) {
        self.read.iter_mut().flatten().for_each(change);
    }

    pub(super) fn go_to(&mut self, scope: Scope) {
        self.scope = scope;
        let is_read = self.read[scope as usize].is_some();
        self.listing = (!is_read).then(|| Listing::start(&self.source, scope));
        self.look();
        self.arrange_from_top();
    }

    /// The text of the search has changed.
    pub(super) fn typed(&mut self) {
        match Query::parse(self.input.text()) {
            Ok(query) => self.query = query,
            Err(error) => {
                self.told = Some(PickerNotice::Failed(error.to_string()));
                self.search = None;
                self.places.clear();
                self.selection = Selection::new(0, VISIBLE);
                return;
            }
        }
        self.look();
        self.arrange_from_top();
    }

    /// Begins to search all messages.
    fn look(&mut self) {
        self.search = (!self.query.is_empty()).then(|| Search::start(&self.source, self.scope, &self.query));
        self.searched = 0;
    }

    pub(super) fn arrange_from_top(&mut self) {
        self.arrange();
        self.selection.select(0);
    }

    /// Puts the sessions that fit in order. The selected one stays selected.
    fn arrange(&mut self) {
        let selected = self.selected().map(|session| session.path.clone());
        let was_first = self.selection.selected().unwrap_or_default() == 0;
        self.places = self.arranged();
        self.selection.set_count(self.places.len());
        let kept = selected.filter(|_| !was_first).and_then(|file| {
            self.places
                .iter()
                .position(|place| self.sessions().get(place.index).is_some_and(|session| session.path == file))
        });
        self.selection.select(kept.unwrap_or_else(|| self.selection.selected().unwrap_or_default()));
    }

    fn arranged(&self) -> Vec<ListedSession> {
        let named = |session: &SessionInfo| !self.named_only || session.name.is_some();
        let all = || self.sessions().iter().enumerate().filter(|(_, session)| named(session));
        if self.query.is_empty() {
            let shown: Vec<usize> = all().map(|(index, _)| index).collect();
            return match self.sort {
                Sort::Threaded => threaded(self.sessions(), &shown),
                Sort::Recent | Sort::Fuzzy => shown.into_iter().map(ListedSession::flat).collect(),
            };
        }
        let mut found: Vec<(usize, u32)> =
            all().filter_map(|(index, session)| Some((index, self.score(session)?))).collect();
        // As long as more is found, what is there does not change places.
        if self.sort != Sort::Recent && !self.is_searching() {
            found.sort_by_key(|(_, score)| std::cmp::Reverse(*score));
        }
        found.into_iter().map(|(index, _)| ListedSession::flat(index)).collect()
    }

    /// How well a session fits all parts of the query.
    fn score(&self, session: &SessionInfo) -> Option<u32> {
        let mut sum = 0;
        for (at, term) in self.query.terms.iter().enumerate() {
            let said = self.search.as_ref().and_then(|search| search.hit(at, &session.path)).map(|hit| hit.score);
            match said.max(term.score(session)) {
                Some(_) if term.is_excluded => return None,
                Some(score) => sum += score,
                None if term.is_excluded => {}
                None => return None,
            }
        }
        Some(sum)
    }

    /// The title of a session, by its file.
    pub(super) fn title_of(&self, file: &std::path::Path) -> String {
        self.sessions().iter().find(|session| session.path == file).map(title).unwrap_or_default()
    }
}
