// `ctx.signal`: one signal per run, however often it is asked for.
import { host } from "script:host";

// Of the run that was asked about last.
let last;

export function runSignal(number) {
  const { run, isAborted } = host.sync("ctx.run", number);
  if (run === undefined) return undefined;
  if (last?.run !== run || last.number !== number) last = { number, run, controller: watched(number) };
  // It may be known before it was told.
  if (isAborted) last.controller.abort();
  return last.controller.signal;
}

// The script itself stopped this run: none of its signals lags behind.
export function wasAborted(number, run) {
  host.fireSignals();
  if (run !== undefined && last?.run === run && last.number === number) last.controller.abort();
}

function watched(number) {
  const controller = new AbortController();
  const abort = host.callback(() => controller.abort());
  if (!host.sync("ctx.watch", number, abort)) host.forget(abort);
  return controller;
}
