// The forms of child_process for which the script waits.
const { normalize, forShell } = require("internal/child_options");

const bytesOf = (value, encoding) => (typeof value === "string" ? Buffer.from(value, encoding === "buffer" ? "utf8" : encoding) : value);

function spawnSync(file, args, options) {
  if (args && !Array.isArray(args)) [args, options] = [[], args];
  const { spec, settings } = normalize(file, args, options);
  const { timeout = 0, maxBuffer = 1024 * 1024, killSignal, encoding, input = "" } = settings;
  const limits = { timeout, maxBuffer: Number.isFinite(maxBuffer) ? maxBuffer : null, killSignal: String(killSignal) };
  const shown = (bytes, place) => {
    if (spec.stdio[place] !== "pipe") return null;
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    return encoding && encoding !== "buffer" ? buffer.toString(encoding) : buffer;
  };
  try {
    const given = bytesOf(input, encoding);
    const content = new Uint8Array(given.buffer, given.byteOffset, given.byteLength);
    const [about, out, err] = host.sync("child.run", spec, limits, content);
    const { code, signal } = about.end;
    const [stdout, stderr] = [shown(out, 1), shown(err, 2)];
    const result = { pid: about.pid, output: [null, stdout, stderr], stdout, stderr, status: signal === null ? code : null, signal };
    if (about.code) {
      const error = Object.assign(new Error(about.message), { errno: about.code === "ETIMEDOUT" ? -110 : -105, code: about.code });
      result.error = Object.assign(error, { syscall: `spawnSync ${spec.file}`, path: spec.file, spawnargs: spec.args });
    }
    return result;
  } catch (error) {
    if (error.syscall === undefined) throw error;
    error.message = error.message.replace(/^spawn /, "spawnSync ");
    error.syscall = error.syscall.replace(/^spawn /, "spawnSync ");
    return { error, status: null, signal: null, output: null, pid: 0, stdout: null, stderr: null };
  }
}

function checked(result, command, isInherited) {
  if (isInherited && result.stderr?.length) process.stderr.write(result.stderr);
  if (result.error) throw Object.assign(result.error, result);
  if (result.status === 0) return result.stdout;
  const words = result.stderr?.length ? `\n${result.stderr.toString()}` : "";
  throw Object.assign(new Error(`Command failed: ${command}${words}`), result);
}

function execFileSync(file, args, options) {
  if (args && !Array.isArray(args)) [args, options] = [[], args];
  return checked(spawnSync(file, args ?? [], options), [file, ...(args ?? [])].join(" "), !options?.stdio);
}

function execSync(command, options) {
  const { file, args, settings } = forShell(command, { ...options });
  return checked(spawnSync(file, args, settings), command, !options?.stdio);
}

module.exports = { spawnSync, execFileSync, execSync };
