// Node's diagnostics_channel.
const channels = new Map();

class Channel {
  #subscribers = [];
  #stores = new Map();
  constructor(name) {
    this.name = name;
  }
  get hasSubscribers() {
    return this.#subscribers.length > 0 || this.#stores.size > 0;
  }
  subscribe(fn) {
    this.#subscribers = [...this.#subscribers, fn];
  }
  unsubscribe(fn) {
    const count = this.#subscribers.length;
    this.#subscribers = this.#subscribers.filter((known) => known !== fn);
    return this.#subscribers.length < count;
  }
  bindStore(store, transform = (context) => context) {
    this.#stores.set(store, transform);
  }
  unbindStore(store) {
    return this.#stores.delete(store);
  }
  runStores(context, fn, self, ...args) {
    let run = () => {
      this.publish(context);
      return Reflect.apply(fn, self, args);
    };
    for (const [store, transform] of this.#stores) {
      const inner = run;
      run = () => store.run(transform(context), inner);
    }
    return run();
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

const PHASES = ["start", "end", "asyncStart", "asyncEnd", "error"];

// Five channels that tell of one piece of work.
class TracingChannel {
  constructor(names) {
    for (const phase of PHASES) {
      this[phase] = typeof names === "string" ? exports.channel(`tracing:${names}:${phase}`) : names[phase];
    }
  }
  get hasSubscribers() {
    return PHASES.some((phase) => this[phase]?.hasSubscribers);
  }
  subscribe(handlers) {
    for (const phase of PHASES) if (handlers[phase]) this[phase]?.subscribe(handlers[phase]);
  }
  unsubscribe(handlers) {
    return PHASES.map((phase) => !handlers[phase] || this[phase]?.unsubscribe(handlers[phase])).every(Boolean);
  }
  #begin(work, context) {
    this.start.publish(context);
    try {
      return work();
    } catch (error) {
      context.error = error;
      this.error.publish(context);
      throw error;
    } finally {
      this.end.publish(context);
    }
  }
  traceSync(fn, context = {}, self, ...args) {
    const work = () => Reflect.apply(fn, self, args);
    if (!this.hasSubscribers) return work();
    return this.#begin(() => (context.result = work()), context);
  }
  tracePromise(fn, context = {}, self, ...args) {
    const work = () => Reflect.apply(fn, self, args);
    if (!this.hasSubscribers) return work();
    const settled = (key) => (value) => {
      context[key] = value;
      if (key === "error") this.error.publish(context);
      this.asyncStart.publish(context);
      this.asyncEnd.publish(context);
      if (key === "error") throw value;
      return value;
    };
    return this.#begin(() => Promise.resolve(work()).then(settled("result"), settled("error")), context);
  }
  traceCallback(fn, position = -1, context = {}, self, ...args) {
    if (!this.hasSubscribers) return Reflect.apply(fn, self, args);
    const at = position < 0 ? args.length + position : position;
    const callback = args[at];
    const channel = this;
    args[at] = function (error, result) {
      if (error) {
        context.error = error;
        channel.error.publish(context);
      } else {
        context.result = result;
      }
      channel.asyncStart.publish(context);
      try {
        return Reflect.apply(callback, this, arguments);
      } finally {
        channel.asyncEnd.publish(context);
      }
    };
    return this.#begin(() => Reflect.apply(fn, self, args), context);
  }
}
exports.tracingChannel = (names) => new TracingChannel(names);
