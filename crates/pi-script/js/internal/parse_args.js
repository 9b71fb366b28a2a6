// util.parseArgs: command lines by a table of options.
const { coded, invalidType } = require("internal/errors");

const wrong = (code, message) => coded(TypeError, code, message);

function findShort(options, letter) {
  return Object.keys(options).find((name) => options[name].short === letter) ?? letter;
}

function* tokens(args, options) {
  const rest = [...args];
  let index = -1;
  while (rest.length) {
    const arg = rest.shift();
    index++;
    if (arg === "--") {
      yield { kind: "option-terminator", index };
      for (const value of rest.splice(0)) yield { kind: "positional", index: ++index, value };
      return;
    }
    const isShort = /^-[^-]/.test(arg);
    const isLong = /^--[^]+/.test(arg);
    if (!isShort && !isLong) {
      yield { kind: "positional", index, value: arg };
      continue;
    }
    if (isShort && arg.length > 2) {
      // -abc means -a -b -c, unless one of them takes what follows it.
      const name = findShort(options, arg[1]);
      if (options[name]?.type === "string") {
        yield { kind: "option", name, rawName: arg.slice(0, 2), index, value: arg.slice(2), inlineValue: true };
      } else {
        rest.unshift(arg.slice(0, 2), `-${arg.slice(2)}`);
        index--;
      }
      continue;
    }
    const equals = isLong ? arg.indexOf("=", 3) : -1;
    const rawName = equals === -1 ? arg : arg.slice(0, equals);
    const name = isShort ? findShort(options, arg[1]) : rawName.slice(2);
    if (equals !== -1) {
      yield { kind: "option", name, rawName, index, value: arg.slice(equals + 1), inlineValue: true };
    } else if (options[name]?.type === "string" && rest.length && rest[0] !== undefined) {
      yield { kind: "option", name, rawName, index: index++, value: rest.shift(), inlineValue: false };
    } else {
      yield { kind: "option", name, rawName, index, value: undefined, inlineValue: undefined };
    }
  }
}

function check(token, options, allowPositionals) {
  const { name, rawName, value } = token;
  const option = options[name];
  if (!option) {
    const hint = allowPositionals ? `. To specify a positional argument starting with a '-', place it at the end of the command after '--', as in '-- "${rawName}"` : "";
    throw wrong("ERR_PARSE_ARGS_UNKNOWN_OPTION", `Unknown option '${rawName}'${hint}`);
  }
  const shown = `${option.short ? `-${option.short}, ` : ""}--${name}`;
  if (option.type === "string" && typeof value !== "string") {
    throw wrong("ERR_PARSE_ARGS_INVALID_OPTION_VALUE", `Option '${shown} <value>' argument missing`);
  }
  if (option.type === "boolean" && value !== undefined) {
    throw wrong("ERR_PARSE_ARGS_INVALID_OPTION_VALUE", `Option '${shown}' does not take an argument`);
  }
  if (option.type === "string" && !token.inlineValue && value.startsWith("-") && value.length > 1) {
    const message = `Option '${rawName}' argument is ambiguous.\nDid you forget to specify the option argument for '${rawName}'?\nTo specify an option argument starting with a dash use '${rawName.startsWith("--") ? `${rawName}=-XYZ` : `--${name}=-XYZ`}'.`;
    throw wrong("ERR_PARSE_ARGS_INVALID_OPTION_VALUE", message);
  }
}

exports.parseArgs = (config = {}) => {
  const { options = {}, strict = true, allowNegative = false } = config;
  const args = config.args ?? require("process").argv.slice(2);
  const allowPositionals = config.allowPositionals ?? !strict;
  for (const [name, option] of Object.entries(options)) {
    if (option.type !== "string" && option.type !== "boolean") {
      throw invalidType(`options.${name}.type`, "one of type string or boolean", option.type);
    }
  }
  const found = [...tokens(args, options)];
  const values = Object.create(null);
  const positionals = [];
  const store = (name, value) => {
    if (options[name]?.multiple) (values[name] ??= []).push(value);
    else values[name] = value;
  };
  for (const token of found) {
    if (token.kind === "positional") {
      if (!allowPositionals) {
        const message = `Unexpected argument '${token.value}'. This command does not take positional arguments`;
        throw wrong("ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL", message);
      }
      positionals.push(token.value);
    } else if (token.kind === "option") {
      const positive = token.name.replace(/^no-/, "");
      const isNegative = allowNegative && positive !== token.name && !options[token.name] && options[positive]?.type === "boolean";
      if (isNegative) {
        store(positive, false);
        continue;
      }
      if (strict) check(token, options, allowPositionals);
      store(token.name, token.value ?? true);
    }
  }
  for (const [name, option] of Object.entries(options)) {
    if (option.default !== undefined && values[name] === undefined) values[name] = option.default;
  }
  return config.tokens ? { values, positionals, tokens: found } : { values, positionals };
};
