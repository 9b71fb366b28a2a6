// Node's diagnostics_channel, without its traces of async work.
const channels = new Map();

class Channel {
  #subscribers = [];
  constructor(name) {
    this.name = name;
  }
  get hasSubscribers() {
    return this.#subscribers.length > 0;
  }
  subscribe(fn) {
    this.#subscribers = [...this.#subscribers, fn];
  }
  unsubscribe(fn) {
    const count = this.#subscribers.length;
    this.#subscribers = this.#subscribers.filter((known) => known !== fn);
    return this.#subscribers.length < count;
  }
  publish(message) {
    for (const fn of this.#subscribers) {
      try {
        fn(message, this.name);
      } catch (error) {
        host.uncaught(error);
      }
    }
  }
}

exports.Channel = Channel;
exports.channel = (name) => {
  if (!channels.has(name)) channels.set(name, new Channel(name));
  return channels.get(name);
};
exports.hasSubscribers = (name) => channels.get(name)?.hasSubscribers ?? false;
exports.subscribe = (name, fn) => exports.channel(name).subscribe(fn);
exports.unsubscribe = (name, fn) => exports.channel(name).unsubscribe(fn);
