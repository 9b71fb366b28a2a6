//! Temporary overrides of entries in shared tables (wire formats, logins): who overrides which entry, and what it was before.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::Arc;

use futures::future::BoxFuture;
use pi_ai::auth::oauth::{OAuthCallbacks, OAuthContext, OAuthCredentials, OAuthProvider};
use pi_ai::{Api, AssistantMessageStream, Context, Model, StreamOptions};

use super::provider::ProviderOwner;

/// A table of implementations by name.
pub(super) trait Table {
    type Item: ?Sized + Debug;

    fn key(item: &Self::Item) -> &str;
    fn find(&self, key: &str) -> Option<Arc<Self::Item>>;
    fn put(&self, item: Arc<Self::Item>);
    fn remove(&self, key: &str);
}

/// Overrides in force, the oldest first.
#[derive(Debug)]
pub(super) struct TableOverrides<T: Table>(Vec<Override<T>>);

impl<T: Table> Default for TableOverrides<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

#[derive(Debug)]
struct Override<T: Table> {
    owner: ProviderOwner,
    /// The provider for which it was taken.
    provider: String,
    table: Arc<T>,
    now: Arc<T::Item>,
    before: Option<Arc<T::Item>>,
}

impl<T: Table> TableOverrides<T> {
    /// Puts an item into a table. What the owner put there before for this provider goes.
    pub(super) fn take(&mut self, owner: &ProviderOwner, provider: &str, table: &Arc<T>, item: Arc<T::Item>) {
        let is_same = |place: &Override<T>| {
            place.owner == *owner && place.provider == provider && Arc::ptr_eq(&place.table, table)
        };
        while let Some(index) = self.0.iter().position(is_same) {
            self.end(index);
        }
        let before = table.find(T::key(&item));
        table.put(Arc::clone(&item));
        let (owner, table) = (owner.clone(), Arc::clone(table));
        self.0.push(Override { owner, provider: provider.to_owned(), table, now: item, before });
    }

    /// Gives the places back that are meant.
    pub(super) fn give_back(&mut self, is_meant: impl Fn(&ProviderOwner, &str) -> bool) {
        while let Some(index) = self.0.iter().position(|place| is_meant(&place.owner, &place.provider)) {
            self.end(index);
        }
    }

    /// Who came later and displaced this item inherits what it displaced.
    fn end(&mut self, index: usize) {
        let place = self.0.remove(index);
        let is_now = |item: &Option<Arc<T::Item>>| item.as_ref().is_some_and(|item| is_same(item, &place.now));
        let same_table = |other: &&mut Override<T>| Arc::ptr_eq(&other.table, &place.table);
        if let Some(later) = self.0.iter_mut().filter(same_table).find(|other| is_now(&other.before)) {
            later.before = place.before;
            return;
        }
        // Whoever else has put something there since may keep it.
        let key = T::key(&place.now);
        if is_now(&place.table.find(key)) {
            place.table.remove(key);
            if let Some(before) = place.before {
                place.table.put(before);
            }
        }
    }
}

fn is_same<T: ?Sized>(a: &Arc<T>, b: &Arc<T>) -> bool {
    std::ptr::addr_eq(Arc::as_ptr(a), Arc::as_ptr(b))
}

/// A wire format under the name that an extension gave it.
#[derive(Debug)]
pub(super) struct Named {
    pub(super) name: String,
    pub(super) inner: Arc<dyn Api>,
}

impl Api for Named {
    fn name(&self) -> &str {
        &self.name
    }

    fn stream(&self, model: Arc<Model>, context: Context, options: StreamOptions) -> AssistantMessageStream {
        self.inner.stream(model, context, options)
    }

    fn cleanup_session_resources(&self, session_id: Option<&str>) {
        self.inner.cleanup_session_resources(session_id);
    }
}

/// A login under the name of the provider that it was registered for.
#[derive(Debug)]
pub(super) struct NamedLogin {
    pub(super) id: String,
    pub(super) inner: Arc<dyn OAuthProvider>,
}

impl OAuthProvider for NamedLogin {
    fn id(&self) -> &str {
        &self.id
    }

    fn name(&self) -> &str {
        self.inner.name()
    }

    fn uses_callback_server(&self) -> bool {
        self.inner.uses_callback_server()
    }

    fn login<'a>(
        &'a self,
        callbacks: &'a dyn OAuthCallbacks,
        context: &'a OAuthContext,
    ) -> BoxFuture<'a, Result<OAuthCredentials, pi_ai::Error>> {
        self.inner.login(callbacks, context)
    }

    fn refresh_token<'a>(
        &'a self,
        credentials: &'a OAuthCredentials,
        context: &'a OAuthContext,
    ) -> BoxFuture<'a, Result<OAuthCredentials, pi_ai::Error>> {
        self.inner.refresh_token(credentials, context)
    }

    fn api_key(&self, credentials: &OAuthCredentials) -> String {
        self.inner.api_key(credentials)
    }

    fn headers(&self, credentials: &OAuthCredentials) -> BTreeMap<String, String> {
        self.inner.headers(credentials)
    }

    fn modify_models(&self, models: Vec<Arc<Model>>, credentials: &OAuthCredentials) -> Vec<Arc<Model>> {
        self.inner.modify_models(models, credentials)
    }
}
