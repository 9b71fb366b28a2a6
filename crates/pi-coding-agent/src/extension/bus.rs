//! Messages between extensions: a channel has a name, a message is any JSON value.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};

use pi_guard::{caught_now, lock};
use serde_json::Value;

type Handler = dyn Fn(&Value) + Send + Sync;

/// Where extensions of one session meet. Clones are handles to the same bus.
#[doc(alias = "EventBusController")]
#[derive(Clone, Default)]
pub struct EventBus(Arc<Mutex<Channels>>);

#[derive(Default)]
struct Channels {
    next: u64,
    handlers: HashMap<String, Vec<(u64, Arc<Handler>)>>,
}

impl EventBus {
    /// Calls `handler` for every message of a channel, until the result is cancelled. It must not block.
    pub fn on(&self, channel: &str, handler: impl Fn(&Value) + Send + Sync + 'static) -> BusSubscription {
        let mut channels = self.lock();
        channels.next += 1;
        let id = channels.next;
        channels.handlers.entry(channel.to_owned()).or_default().push((id, Arc::new(handler)));
        BusSubscription { bus: self.clone(), channel: channel.to_owned(), id }
    }

    /// Sends a message to everybody on the channel, in the order of subscription. Returns how many handlers panicked;
    /// the others were called all the same.
    pub fn emit(&self, channel: &str, message: &Value) -> usize {
        // Not under the lock: a handler may subscribe or send.
        let handlers = self.lock().handlers.get(channel).cloned().unwrap_or_default();
        let call = |handler: &Arc<Handler>| caught_now(|| handler(message));
        handlers.iter().filter(|(_, handler)| call(handler).is_err()).count()
    }

    /// Forgets all subscriptions.
    pub fn clear(&self) {
        self.lock().handlers.clear();
    }

    fn lock(&self) -> MutexGuard<'_, Channels> {
        lock(&self.0)
    }
}

impl std::fmt::Debug for EventBus {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.lock().handlers.keys()).finish()
    }
}

/// A place on a channel. Dropping it keeps it.
#[derive(Debug)]
pub struct BusSubscription {
    bus: EventBus,
    channel: String,
    id: u64,
}

impl BusSubscription {
    /// Gives the place up.
    pub fn cancel(self) {
        if let Some(handlers) = self.bus.lock().handlers.get_mut(&self.channel) {
            handlers.retain(|(id, _)| *id != self.id);
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn messages_reach_everybody_on_the_channel_until_they_leave() {
        let bus = EventBus::default();
        let heard = Arc::new(Mutex::new(Vec::new()));
        let listen = |name: &'static str| {
            let heard = Arc::clone(&heard);
            bus.on("news", move |message| heard.lock().unwrap().push(format!("{name} {message}")))
        };
        let (first, _second) = (listen("a"), listen("b"));
        bus.on("news", |_| panic!("not today"));
        assert_eq!(bus.emit("news", &json!(1)), 1);
        assert_eq!(bus.emit("weather", &json!(2)), 0);
        first.cancel();
        assert_eq!(bus.emit("news", &json!({"n": 3})), 1);
        assert_eq!(*heard.lock().unwrap(), ["a 1", "b 1", "b {\"n\":3}"]);
        bus.clear();
        assert_eq!(bus.emit("news", &json!(4)), 0);
    }

    #[test]
    fn a_handler_may_subscribe_and_send() {
        let bus = EventBus::default();
        let other = bus.clone();
        bus.on("ask", move |_| {
            other.on("answer", |_| {});
            other.emit("answer", &json!(null));
        });
        assert_eq!(bus.emit("ask", &json!(null)), 0);
    }
}
