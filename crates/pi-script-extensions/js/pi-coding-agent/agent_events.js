// Events of a session that a script runs, for its listeners.
import { keep } from "pi:bridge/callbacks";
import { Follower } from "pi:ai/follow";

import { host } from "script:host";

export class Listeners {
  #number;
  #context;
  #listeners = [];
  #callback;
  // Puts together the message that is arriving.
  #follower;

  constructor(number, context) {
    this.#number = number;
    this.#context = context;
  }

  // Returns what takes the listener off again.
  add(listener) {
    if (typeof listener !== "function") throw new TypeError("The listener must be a function");
    if (this.#listeners.length === 0) this.#listen();
    // A function may be added twice.
    const added = { listener };
    this.#listeners = [...this.#listeners, added];
    return () => {
      this.#listeners = this.#listeners.filter((other) => other !== added);
    };
  }

  clear() {
    this.#listeners = [];
  }

  #listen() {
    if (this.#callback === undefined) keep(this.#context, [(this.#callback = host.callback((event) => this.#tell(event)))]);
    host.sync("agents.listen", this.#number, this.#callback);
  }

  #tell(event) {
    const told = this.#complete(event);
    for (const { listener } of this.#listeners) {
      try {
        listener(told);
      } catch (error) {
        // It is reported; the run goes on.
        queueMicrotask(() => {
          throw error;
        });
      }
    }
    if (this.#listeners.length === 0) host.sync("agents.unlisten", this.#number);
  }

  #complete(event) {
    if (event.type === "message_start" && event.message.role === "assistant") {
      this.#follower = new Follower();
      this.#follower.message = { ...event.message, content: [...event.message.content] };
    }
    if (event.type !== "message_update") return event;
    if (!this.#follower) {
      // Who begins to listen in the middle of a message is told what there is of it.
      const message = host.sync("agents.get", this.#number, "streamingMessage");
      const { block: _block, message: _message, ...brief } = event.assistantMessageEvent;
      return { ...event, assistantMessageEvent: { ...brief, partial: message }, message };
    }
    const assistantMessageEvent = this.#follower.follow(event.assistantMessageEvent);
    return { ...event, assistantMessageEvent, message: this.#follower.message };
  }
}
