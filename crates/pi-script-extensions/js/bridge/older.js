// Names that extensions of earlier versions use: events, an answer, options with dashes. With PI_COMPAT=0.79 they mean as
// little as they did there.
import * as events from "pi:bridge/events";

const isOff = () => globalThis.process.env.PI_COMPAT?.startsWith("0.79") ?? false;

// What became of an event: its name, and what it looked like, where it is meant.
const EVENTS = {
  session_before_branch: ["session_before_fork", ({ entryId }) => ({ entryId })],
  session_branch: ["session_start", ({ reason, previousSessionFile }) => reason === "fork" && { previousSessionFile }],
  session_switch: ["session_start", ({ reason, previousSessionFile }) => (reason === "new" || reason === "resume") && { reason, previousSessionFile }],
};

export function subscribe(context, type, handler) {
  if (typeof handler !== "function") throw new TypeError(`The handler of ${type} must be a function`);
  if (type === "before_agent_start") return events.subscribe(context, type, appending(handler));
  if (!Object.hasOwn(EVENTS, type) || isOff()) return events.subscribe(context, type, handler);
  const [name, told] = EVENTS[type];
  return events.subscribe(context, name, (event, ctx) => {
    const older = told(event);
    return older ? handler({ type, ...older }, ctx) : undefined;
  });
}

// `systemPromptAppend` of an answer comes behind the system prompt.
const appending = (handler) => (event, ctx) =>
  events.settled(handler(event, ctx), (answer) => {
    const text = answer?.systemPromptAppend;
    if (typeof text !== "string" || answer.systemPrompt !== undefined || isOff()) return answer;
    return { ...answer, systemPrompt: `${event.systemPrompt}\n\n${text}` };
  });

// An option's name without the dashes that it has on the command line.
export const flagName = (name) => (/^-/.test(name) && !isOff() ? name.replace(/^-+/, "") : name);
