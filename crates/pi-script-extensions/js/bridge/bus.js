// `pi.events`: messages between extensions. What an extension sends itself arrives as it is; others get it as JSON.
import { own } from "pi:bridge/callbacks";

import { host } from "script:host";

export function bus(context) {
  const channels = new Map();
  const deliver = (channel, data) => {
    for (const listener of [...(channels.get(channel)?.listeners ?? [])]) listener(data);
  };
  return {
    emit(channel, data) {
      deliver(channel, data);
      try {
        host.sync("bus.emit", context, channel, data);
      } catch (error) {
        // JSON cannot say it.
        host.uncaught(error);
      }
    },
    on(channel, handler) {
      const listener = async (data) => {
        try {
          await handler(data);
        } catch (error) {
          console.error(`Event handler error (${channel}):`, error);
        }
      };
      let entry = channels.get(channel);
      if (!entry) {
        entry = { listeners: new Set(), callback: own(context, (data) => deliver(channel, data)) };
        channels.set(channel, entry);
        entry.place = host.sync("bus.on", context, channel, entry.callback);
      }
      entry.listeners.add(listener);
      return () => {
        if (!entry.listeners.delete(listener) || entry.listeners.size > 0) return;
        channels.delete(channel);
        host.sync("bus.off", entry.place);
        host.forget(entry.callback);
      };
    },
  };
}
