// Files of environment variables: NAME=value, quotes, comments.
const LINE = /^\s*(?:export\s+)?([\w.-]+)\s*=\s*("(?:\\.|[^"\\])*"|'[^']*'|`[^`]*`|[^#\r\n]*)/gm;

exports.parseEnv = (text) => {
  const found = {};
  for (const [, name, raw] of String(text).matchAll(LINE)) {
    const value = raw.trim();
    const mark = value[0];
    const isQuoted = value.length > 1 && (mark === '"' || mark === "'" || mark === "`") && value.endsWith(mark);
    const inner = isQuoted ? value.slice(1, -1) : value;
    found[name] = isQuoted && mark === '"' ? inner.replaceAll("\\n", "\n") : inner;
  }
  return found;
};
