// Streams of events that one side pushes and the other iterates; a final event carries the result.
export class EventStream {
  #queue = [];
  #waiting = [];
  #isOver = false;
  #resolve;
  #result = new Promise((resolve) => (this.#resolve = resolve));

  constructor(isComplete, extractResult) {
    this.isComplete = isComplete;
    this.extractResult = extractResult;
  }

  push(event) {
    if (this.#isOver) return;
    if (this.isComplete(event)) {
      this.#isOver = true;
      this.#resolve(this.extractResult(event));
    }
    const reader = this.#waiting.shift();
    if (reader) reader({ value: event, done: false });
    else this.#queue.push(event);
    if (this.#isOver) this.#close();
  }

  end(result) {
    this.#isOver = true;
    if (result !== undefined) this.#resolve(result);
    this.#close();
  }

  #close() {
    for (const reader of this.#waiting.splice(0)) reader({ value: undefined, done: true });
  }

  async *[Symbol.asyncIterator]() {
    for (;;) {
      if (this.#queue.length > 0) {
        yield this.#queue.shift();
      } else if (this.#isOver) {
        return;
      } else {
        const { value, done } = await new Promise((resolve) => this.#waiting.push(resolve));
        if (done) return;
        yield value;
      }
    }
  }

  result() {
    return this.#result;
  }
}

export class AssistantMessageEventStream extends EventStream {
  constructor() {
    super(
      ({ type }) => type === "done" || type === "error",
      (event) => (event.type === "done" ? event.message : event.error),
    );
  }
}

export const createAssistantMessageEventStream = () => new AssistantMessageEventStream();
