// Puts the message together that a model is saying: the program tells what is new, scripts expect all of it as `partial`.
import { host } from "script:host";

export class Follower {
  message;
  // The text of arguments that are still arriving, by place.
  #open = new Map();

  // The event as scripts know it.
  follow({ type, contentIndex, delta, block, message, error, reason, content }) {
    if (type === "done") return { type, reason, message };
    if (type === "error") return { type, reason, error };
    if (type === "start") {
      this.message = message;
      return { type, partial: message };
    }
    const blocks = this.message.content;
    if (type.endsWith("_delta")) this.#grow(type, contentIndex, delta);
    else blocks[contentIndex] = block;
    const event = { type, contentIndex };
    if (type === "toolcall_start") this.#open.set(contentIndex, "");
    if (type.endsWith("_delta")) event.delta = delta;
    if (type === "text_end" || type === "thinking_end") event.content = content;
    if (type === "toolcall_end") event.toolCall = block;
    event.partial = this.message;
    return event;
  }

  #grow(type, place, delta) {
    const block = this.message.content[place];
    if (type === "text_delta") block.text += delta;
    else if (type === "thinking_delta") block.thinking += delta;
    else this.#growArguments(block, place, delta);
  }

  // They are parsed only if somebody looks.
  #growArguments(block, place, delta) {
    const text = (this.#open.get(place) ?? "") + delta;
    this.#open.set(place, text);
    let known;
    const get = () => (known ??= host.sync("ai.parseStreamingJson", text));
    Object.defineProperty(block, "arguments", { configurable: true, enumerable: true, get });
  }
}
