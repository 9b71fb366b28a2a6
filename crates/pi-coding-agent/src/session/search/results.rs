//! The stream of hits, and the threads behind it.

use std::cmp::Reverse;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::{thread, vec};

use super::prefilter::Prefilter;
use super::session::Search;
use super::{SearchHit, SearchOptions, SearchQuery};
use crate::session::list::files::SessionFile;
use crate::session::list::workers::thread_count;

/// Sessions whose hits may wait for somebody to look at them.
const WAITING: usize = 64;

/// Hits as they are found: those of one session come together, the best first; sessions come about in the order in
/// which they were written last. Asking for the next one blocks until there is one or the search is over. Dropping this
/// ends the search.
#[derive(Debug)]
pub struct SearchResults {
    search: Arc<Search>,
    received: Receiver<Vec<SearchHit>>,
    ready: vec::IntoIter<SearchHit>,
}

impl SearchResults {
    /// Starts the threads. `files` has the newest first.
    pub(super) fn start(
        files: Vec<SessionFile>,
        only_of: Option<PathBuf>,
        query: SearchQuery,
        options: SearchOptions,
    ) -> Self {
        let prefilter = Prefilter::new(&query);
        let newest = files.first().map_or(0, SessionFile::changed_ms);
        let search = Arc::new(Search { query, prefilter, options, only_of, newest, stop: AtomicBool::new(false) });
        let (sender, received) = sync_channel(WAITING);
        let threads = thread_count(files.len());
        let queue = Arc::new((files, AtomicUsize::new(0)));
        for _ in 0..threads {
            let (search, queue, sender) = (Arc::clone(&search), Arc::clone(&queue), sender.clone());
            thread::spawn(move || work(&search, &queue.0, &queue.1, &sender));
        }
        Self { search, received, ready: vec![].into_iter() }
    }

    /// Waits for the end of the search and returns all hits that were not taken yet, the best first; among equals the
    /// newest first.
    pub fn ranked(self) -> Vec<SearchHit> {
        let mut hits: Vec<_> = self.collect();
        // Which session was read first is chance, so nothing may depend on it.
        hits.sort_by(|a, b| (&a.session.path, &a.entry_id).cmp(&(&b.session.path, &b.entry_id)));
        hits.sort_by_key(|hit| Reverse((hit.score, hit.timestamp)));
        hits
    }
}

impl Iterator for SearchResults {
    type Item = SearchHit;

    fn next(&mut self) -> Option<SearchHit> {
        loop {
            if let Some(hit) = self.ready.next() {
                return Some(hit);
            }
            self.ready = self.received.recv().ok()?.into_iter();
        }
    }
}

impl Drop for SearchResults {
    fn drop(&mut self) {
        self.search.stop.store(true, Ordering::Relaxed);
    }
}

fn work(search: &Search, files: &[SessionFile], next: &AtomicUsize, results: &SyncSender<Vec<SearchHit>>) {
    let mut buffer = Vec::new();
    while let Some(file) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
        let hits = search.search_file(file, &mut buffer);
        let unwanted = search.stop.load(Ordering::Relaxed);
        if unwanted || (!hits.is_empty() && results.send(hits).is_err()) {
            return;
        }
    }
}
