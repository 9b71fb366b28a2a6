// Completions of scripts: providers that wrap each other, the innermost being the program's own.
import { own } from "pi:bridge/callbacks";

import { host } from "script:host";

// By session: the outermost provider, and what the innermost found last.
const chains = new Map();

function chainOf(number) {
  let chain = chains.get(number);
  if (!chain) {
    const { CombinedAutocompleteProvider } = host.importNow("pi:tui/main");
    const inner = new CombinedAutocompleteProvider(host.sync("pi.getCommands", number), host.sync("ctx.cwd", number));
    chain = { last: undefined, isAsked: false };
    chain.top = {
      getSuggestions: async (...args) => (chain.last = await inner.getSuggestions(...args)),
      applyCompletion: (...args) => inner.applyCompletion(...args),
      shouldTriggerFileCompletion: (...args) => inner.shouldTriggerFileCompletion(...args),
    };
    chains.set(number, chain);
  }
  return chain;
}

// The provider for an editor of a script.
export const providerFor = (number) => ({
  get triggerCharacters() {
    return chainOf(number).top.triggerCharacters;
  },
  getSuggestions: (...args) => chainOf(number).top.getSuggestions(...args),
  applyCompletion: (...args) => chainOf(number).top.applyCompletion(...args),
  shouldTriggerFileCompletion: (...args) => chainOf(number).top.shouldTriggerFileCompletion?.(...args) ?? true,
});

export function addProvider(number, factory) {
  const chain = chainOf(number);
  chain.top = factory(chain.top);
  // What is before the cursor is looked at by the whole chain: the program asks it once.
  const complete = async (text, line, column, force) => {
    chain.last = undefined;
    const { signal } = new AbortController();
    const found = await chain.top.getSuggestions(text.split("\n"), line, column, { signal, force });
    // What only the program's own provider found is left to the program.
    if (!found || found === chain.last) return undefined;
    const items = found.items.map(({ value, label, description }) => ({ value, label: label ?? value, description }));
    return { items, prefix: found.prefix };
  };
  // A provider opens the list at `#` without saying so.
  const marks = ["#", ...(chain.top.triggerCharacters ?? [])];
  host.sync("ui.completeWith", number, marks, own(number, complete));
}
