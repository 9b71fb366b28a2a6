// Arguments and options of child_process, as the program wants them.
const { coded, invalidType, invalidValue } = require("internal/errors");

const CHANNELS = ["pipe", "ignore", "inherit"];

// What a shell is called with.
const forShell = (command, options) => {
  if (typeof command !== "string") throw invalidType("command", "of type string", command);
  const shell = typeof options.shell === "string" ? options.shell : "/bin/sh";
  return { file: shell, args: ["-c", command], settings: { ...options, shell: false } };
};

const channel = (value, place) => {
  if (value === null || value === undefined || value === "overlapped") return "pipe";
  if (CHANNELS.includes(value)) return value;
  // Numbers and streams of the program's own: its input is its terminal, where that can be lent, its output its error output.
  const number = typeof value === "object" ? value.fd : value;
  // What lies above are files that the script has opened.
  if (Number.isInteger(number) && number > 2) return { file: number };
  if (number === 0) return place === 0 ? "inherit" : "ignore";
  if (number === 1 || number === 2) return "inherit";
  if (value === "ipc") throw coded(Error, "ERR_FEATURE_UNAVAILABLE_ON_PLATFORM", "Channels between processes (stdio: 'ipc') are not available in this program");
  throw invalidValue(`stdio[${place}]`, value, 'must be "pipe", "ignore", "inherit" or an open file');
};

const channels = (value = "pipe") => {
  const list = typeof value === "string" ? [value, value, value] : [...value];
  if (list.length > 3 && list.slice(3).some((entry) => entry !== "ignore" && entry !== null && entry !== undefined)) {
    throw invalidValue("stdio", value, "may have three entries; more are not possible in this program");
  }
  return [0, 1, 2].map((place) => channel(list[place], place));
};

const environment = (env) => {
  const result = {};
  for (const [name, value] of Object.entries(env ?? process.env)) {
    if (value !== undefined) result[name] = String(value);
  }
  return result;
};

const directory = (cwd) => {
  if (cwd === undefined || cwd === null) return process.cwd();
  const path = cwd instanceof URL ? require("url").fileURLToPath(cwd) : String(cwd);
  return path.startsWith("/") ? path : require("path").resolve(path);
};

exports.normalize = (file, args, options) => {
  if (typeof file !== "string") throw invalidType("file", "of type string", file);
  if (file === "") throw invalidValue("file", file, "cannot be empty");
  if (args !== undefined && args !== null && !Array.isArray(args)) [args, options] = [[], args];
  let settings = { ...options };
  let list = (args ?? []).map(String);
  if (settings.shell) {
    const shell = forShell([file, ...list].join(" "), settings);
    [file, list, settings] = [shell.file, shell.args, shell.settings];
  }
  const zero = [file, ...list].find((text) => text.includes("\0"));
  if (zero !== undefined) throw invalidValue("args", zero, "must be a string without null bytes");
  const spec = {
    file,
    args: list,
    argv0: settings.argv0 ?? null,
    cwd: directory(settings.cwd),
    env: environment(settings.env),
    stdio: channels(settings.stdio),
    detached: Boolean(settings.detached),
  };
  return { spec, settings: { ...settings, killSignal: settings.killSignal ?? "SIGTERM" } };
};
exports.forShell = forShell;
