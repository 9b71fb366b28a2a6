// The built-in tools as objects that can be spread into tools of one's own, and what they are made of.
import { asBuffer, asBytes, bashFunction } from "pi:bridge/operations";
import { withSignal } from "pi:bridge/signals";
import { make } from "pi:typebox/kind";

import { host } from "script:host";

const PLAIN = ["autoResizeImages", "commandPrefix", "shellPath"];

// What the system prompt says of a tool belongs to its definition: who replaces a built-in tool by an object made here
// says it anew, or has it left out.
function tool(name, cwd, options) {
  const { promptSnippet: _snippet, promptGuidelines: _guidelines, ...tool } = definition(name, cwd, options);
  return tool;
}

// A tool of this name. What a script chose is read at each call; its functions are numbers as long as the call goes on.
function definition(name, cwd, options = {}) {
  const { promptSnippet, promptGuidelines, executionMode, parameters, ...said } = host.sync("tools.describe", name);
  const execute = async (id, params, signal, onUpdate) => {
    const held = [];
    const hold = (fn) => (held.push(host.callback(fn)), held.at(-1));
    try {
      const update = onUpdate && hold((partial) => onUpdate(partial));
      const wanted = told(name, options, hold);
      return await withSignal(signal, (token) => host.async("tools.execute", name, cwd, wanted, String(id ?? ""), params, token, update));
    } finally {
      for (const number of held) host.forget(number);
    }
  };
  const prepareArguments = name === "edit" ? { prepareArguments: (args) => host.sync("tools.prepare", name, args) } : {};
  const mode = executionMode ? { executionMode } : {};
  return { ...said, parameters: make("Object", parameters), ...prepareArguments, ...mode, promptSnippet, promptGuidelines, execute };
}

function told(name, options, hold) {
  const wanted = {};
  for (const key of PLAIN) if (options[key] !== undefined) wanted[key] = options[key];
  if (options.operations) {
    wanted.operations = {};
    for (const [key, fn] of Object.entries(SHAPES[name](options.operations))) if (fn) wanted.operations[key] = hold(fn);
  }
  if (options.spawnHook) {
    wanted.spawnHook = hold((command, directory, env) => options.spawnHook({ command, cwd: directory, env }));
  }
  return wanted;
}

const nothing = async (work) => {
  await work;
};

const files = (operations) => ({
  readFile: async (path) => asBytes(await operations.readFile(path)),
  access: (path) => nothing(operations.access(path)),
});
const failure = (code, message) => Object.assign(new Error(message), { code });
const known = async (operations, path) => {
  if (!(await operations.exists(path))) throw failure("ENOENT", `ENOENT: no such file or directory, access '${path}'`);
};
const IGNORED = ["**/node_modules/**", "**/.git/**"];

// What operations of a script look like to the program.
const SHAPES = {
  read: (operations) => ({
    ...files(operations),
    detectImageMimeType: operations.detectImageMimeType && ((path) => operations.detectImageMimeType(path)),
  }),
  write: (operations) => ({
    writeFile: (path, text) => nothing(operations.writeFile(path, text)),
    mkdir: (path) => nothing(operations.mkdir(path)),
  }),
  edit: (operations) => ({ ...files(operations), writeFile: (path, text) => nothing(operations.writeFile(path, text)) }),
  bash: (operations) => ({ exec: bashFunction(operations) }),
  grep: (operations) => ({ isDirectory: (path) => operations.isDirectory(path) }),
  find: (operations) => ({
    find: async (pattern, path, limit) => {
      await known(operations, path);
      return operations.glob(pattern, path, { ignore: IGNORED, limit });
    },
  }),
  ls: (operations) => ({
    list: async (path) => {
      await known(operations, path);
      if (!(await operations.stat(path)).isDirectory()) throw failure("ENOTDIR", `ENOTDIR: not a directory, scandir '${path}'`);
      return Promise.all((await operations.readdir(path)).map((name) => entry(operations, path, name)));
    },
  }),
};

async function entry(operations, directory, name) {
  try {
    const stat = await operations.stat(`${directory.replace(/\/$/, "")}/${name}`);
    return { name, isDirectory: stat.isDirectory() };
  } catch {
    return { name, isDirectory: false };
  }
}

export const createReadTool = (cwd, options) => tool("read", cwd, options);
export const createBashTool = (cwd, options) => tool("bash", cwd, options);
export const createEditTool = (cwd, options) => tool("edit", cwd, options);
export const createWriteTool = (cwd, options) => tool("write", cwd, options);
export const createGrepTool = (cwd, options) => tool("grep", cwd, options);
export const createFindTool = (cwd, options) => tool("find", cwd, options);
export const createLsTool = (cwd, options) => tool("ls", cwd, options);
export const createReadToolDefinition = (cwd, options) => definition("read", cwd, options);
export const createBashToolDefinition = (cwd, options) => definition("bash", cwd, options);
export const createEditToolDefinition = (cwd, options) => definition("edit", cwd, options);
export const createWriteToolDefinition = (cwd, options) => definition("write", cwd, options);
export const createGrepToolDefinition = (cwd, options) => definition("grep", cwd, options);
export const createFindToolDefinition = (cwd, options) => definition("find", cwd, options);
export const createLsToolDefinition = (cwd, options) => definition("ls", cwd, options);

const several = (names) => (cwd, options = {}) => names.map((name) => tool(name, cwd, options[name]));
export const createCodingTools = several(["read", "bash", "edit", "write"]);
export const createReadOnlyTools = several(["read", "grep", "find", "ls"]);
export const defineTool = (definition) => definition;
export const wrapRegisteredTool = ({ definition }) => definition;
export const wrapRegisteredTools = (tools) => tools.map(wrapRegisteredTool);

export const getShellConfig = (shellPath) => host.sync("bash.shell", shellPath);

// The shell of this machine, to be wrapped.
export function createLocalBashOperations({ shellPath } = {}) {
  const exec = async (command, cwd, { onData, signal, timeout, env } = {}) => {
    const listener = host.callback((bytes) => void onData?.(asBuffer(bytes)));
    try {
      return await withSignal(signal, (token) => host.async("bash.exec", command, cwd, { timeout, env, shellPath }, listener, token));
    } finally {
      host.forget(listener);
    }
  };
  return { exec };
}

// Runs `work` while no tool changes the file.
export async function withFileMutationQueue(path, work) {
  let outcome;
  const call = host.callback(async () => {
    outcome = { value: await work() };
  });
  try {
    await host.async("files.exclusive", path, call);
  } finally {
    host.forget(call);
  }
  return outcome.value;
}
