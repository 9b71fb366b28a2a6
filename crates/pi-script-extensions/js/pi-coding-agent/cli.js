// The command line, as the program reads it.
import { host } from "script:host";

export function parseArgs(args) {
  const said = host.sync("cli.parse", args);
  return { ...said, unknownFlags: new Map(said.unknownFlags) };
}
