// Intl as far as en-US goes: whatever locale is asked for, this is what comes.
const LOCALE = "en-US";

class Base {
  static supportedLocalesOf(locales) {
    return [locales ?? []].flat();
  }
}

class Segmenter extends Base {
  #granularity;
  constructor(locales, { granularity = "grapheme" } = {}) {
    super();
    if (!["grapheme", "word", "sentence"].includes(granularity)) throw new RangeError(`Value ${granularity} out of range for Intl.Segmenter options property granularity`);
    this.#granularity = granularity;
  }
  resolvedOptions() {
    return { locale: LOCALE, granularity: this.#granularity };
  }
  segment(input) {
    const text = String(input);
    const granularity = this.#granularity;
    const iterate = function* () {
      let index = 0;
      for (const [length, isWordLike] of host.sync("intl.segment", text, granularity)) {
        const entry = { segment: text.slice(index, index + length), index, input: text };
        yield granularity === "word" ? { ...entry, isWordLike } : entry;
        index += length;
      }
    };
    return {
      [Symbol.iterator]: iterate,
      containing(place = 0) {
        for (const entry of iterate()) if (place < entry.index + entry.segment.length) return entry;
      },
    };
  }
}

class Collator extends Base {
  #options;
  constructor(locales, options = {}) {
    super();
    this.#options = { locale: LOCALE, usage: "sort", sensitivity: "variant", numeric: false, ...options };
    this.compare = this.compare.bind(this);
  }
  resolvedOptions() {
    return { ...this.#options };
  }
  #key(text) {
    const { sensitivity } = this.#options;
    let key = String(text).normalize("NFD");
    if (sensitivity === "base" || sensitivity === "case") key = key.replace(/\p{M}/gu, "");
    return sensitivity === "base" || sensitivity === "accent" ? key.toLowerCase() : key;
  }
  compare(one, other) {
    const [a, b] = [this.#key(one), this.#key(other)];
    const split = (text) => (this.#options.numeric ? text.split(/(\d+)/) : [text]);
    const [parts, others] = [split(a), split(b)];
    for (let i = 0; i < Math.min(parts.length, others.length); i++) {
      const isNumber = i % 2 === 1;
      const order = isNumber ? Number(parts[i]) - Number(others[i]) : words(parts[i], others[i]);
      if (order !== 0) return Math.sign(order);
    }
    return Math.sign(parts.length - others.length);
  }
}

// As people sort: letters without accents and case first, then accents, then small letters before capitals.
const words = (a, b) => {
  const plain = (text) => text.replace(/\p{M}/gu, "");
  const order = (x, y) => (x < y ? -1 : x > y ? 1 : 0);
  const [x, y] = [plain(a), plain(b)];
  return order(x.toLowerCase(), y.toLowerCase()) || order(a.toLowerCase(), b.toLowerCase()) || order(y, x);
};

const UNITS = [[1e12, "T"], [1e9, "B"], [1e6, "M"], [1e3, "K"]];
const SYMBOLS = { USD: "$", EUR: "€", GBP: "£", JPY: "¥", INR: "₹", CNY: "CN¥", KRW: "₩" };

class NumberFormat extends Base {
  #options;
  constructor(locales, options = {}) {
    super();
    const { style = "decimal", currency } = options;
    const isCurrency = style === "currency";
    if (isCurrency && currency === undefined) throw new TypeError("Currency code is required with currency style.");
    const digits = isCurrency ? (["JPY", "KRW"].includes(currency) ? 0 : 2) : 0;
    const least = options.minimumFractionDigits ?? Math.min(digits, options.maximumFractionDigits ?? digits);
    const most = options.maximumFractionDigits ?? Math.max(least, isCurrency ? digits : style === "percent" ? 0 : 3);
    if (least > most) throw new RangeError("maximumFractionDigits value is out of range.");
    this.#options = { ...options, style, least, most };
    this.format = this.format.bind(this);
  }
  resolvedOptions() {
    const { style, least, most, ...rest } = this.#options;
    return { locale: LOCALE, numberingSystem: "latn", style, minimumFractionDigits: least, maximumFractionDigits: most, ...rest };
  }
  format(value) {
    const { style, currency, unit, notation, signDisplay } = this.#options;
    if (typeof value === "bigint" && style === "decimal") return grouped(String(value), this.#options.useGrouping);
    let number = Number(value);
    if (style === "percent") number *= 100;
    const size = Math.abs(number);
    let text = notation === "compact" ? this.#compact(size) : this.#digits(size);
    if (Number.isNaN(number)) return "NaN";
    if (style === "percent") text += "%";
    if (style === "currency") text = `${SYMBOLS[currency] ?? `${currency}\u00a0`}${text}`;
    if (style === "unit") text += ` ${unit}`;
    const isNegative = number < 0 || Object.is(number, -0);
    if (isNegative && signDisplay !== "never") return `-${text}`;
    const plus = signDisplay === "always" || (signDisplay === "exceptZero" && number !== 0);
    return plus ? `+${text}` : text;
  }
  #compact(size) {
    // What is rounded up to a thousand of a unit is one of the next.
    const [scale, letter] = UNITS.find(([least]) => size >= least * 0.9995 && size >= 999.5) ?? [1, ""];
    const scaled = size / scale;
    const most = this.#options.maximumFractionDigits ?? (scaled < 100 && (scale > 1 || scaled < 10) ? (scaled < 10 ? 1 : 0) : 0);
    return `${this.#digits(scaled, 0, most)}${letter}`;
  }
  #digits(size, least = this.#options.least, most = this.#options.most) {
    if (size === Infinity) return "∞";
    const { minimumIntegerDigits = 1, maximumSignificantDigits, minimumSignificantDigits, useGrouping } = this.#options;
    let text;
    if (maximumSignificantDigits || minimumSignificantDigits) {
      text = plain(Number(size.toPrecision(maximumSignificantDigits ?? 21)));
    } else {
      text = rounded(size, most);
      const [whole, fraction = ""] = text.split(".");
      const kept = fraction.replace(/0+$/, "").padEnd(least, "0");
      text = kept ? `${whole}.${kept}` : whole;
    }
    const [whole, fraction] = text.split(".");
    return `${grouped(whole.padStart(minimumIntegerDigits, "0"), useGrouping)}${fraction ? `.${fraction}` : ""}`;
  }
  formatToParts(value) {
    return [{ type: "literal", value: this.format(value) }];
  }
}
// Rounded as decimal digits, half away from zero: 1.005 is no less than its half.
const rounded = (size, most) => {
  const text = plain(size);
  if (text.includes("e")) return size.toFixed(most);
  const [whole, fraction = ""] = text.split(".");
  if (fraction.length <= most) return text;
  const kept = BigInt(`${whole}${fraction.slice(0, most)}`) + (fraction[most] >= "5" ? 1n : 0n);
  const digits = String(kept).padStart(most + 1, "0");
  return most === 0 ? digits : `${digits.slice(0, -most)}.${digits.slice(-most)}`;
};
const plain = (number) => (number >= 1e21 ? BigInt(number).toString() : String(number));
const grouped = (whole, useGrouping = true) => (useGrouping === false || useGrouping === "false" ? whole : whole.replace(/\B(?=(\d{3})+$)/g, ","));

const MONTHS = "January February March April May June July August September October November December".split(" ");
const DAYS = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday".split(" ");
const DATE_STYLES = {
  full: { weekday: "long", year: "numeric", month: "long", day: "numeric" },
  long: { year: "numeric", month: "long", day: "numeric" },
  medium: { year: "numeric", month: "short", day: "numeric" },
  short: { year: "2-digit", month: "numeric", day: "numeric" },
};
const TIME_STYLES = {
  short: { hour: "numeric", minute: "2-digit" },
  medium: { hour: "numeric", minute: "2-digit", second: "2-digit" },
  long: { hour: "numeric", minute: "2-digit", second: "2-digit", timeZoneName: "short" },
  full: { hour: "numeric", minute: "2-digit", second: "2-digit", timeZoneName: "short" },
};
const FIELDS = ["weekday", "year", "month", "day", "hour", "minute", "second", "fractionalSecondDigits", "dateStyle", "timeStyle"];

let systemZone;
const localZone = () => {
  systemZone ??= process.env.TZ?.replace(/^:/, "") || zoneOfSystem();
  return systemZone;
};
const zoneOfSystem = () => {
  try {
    return require("fs").realpathSync("/etc/localtime").split("/zoneinfo/")[1] ?? "UTC";
  } catch {
    return "UTC";
  }
};
const isUtc = (zone) => /^(etc\/)?(utc|gmt|zulu|uct)$/i.test(zone);

class DateTimeFormat extends Base {
  #options;
  #zone;
  constructor(locales, options = {}) {
    super();
    const asked = options ?? {};
    this.#zone = asked.timeZone ?? localZone();
    if (!isUtc(this.#zone) && this.#zone !== localZone()) {
      throw new RangeError(`Time zone ${this.#zone} is not available in this program: there are UTC and the system's own (${localZone()})`);
    }
    const { dateStyle, timeStyle } = asked;
    const chosen = { ...DATE_STYLES[dateStyle], ...TIME_STYLES[timeStyle] };
    const has = FIELDS.some((field) => asked[field] !== undefined);
    this.#options = { ...(has ? {} : { year: "numeric", month: "numeric", day: "numeric" }), ...chosen, ...asked };
    this.format = this.format.bind(this);
  }
  resolvedOptions() {
    return { locale: LOCALE, calendar: "gregory", numberingSystem: "latn", timeZone: this.#zone, ...this.#options };
  }
  format(value = Date.now()) {
    return this.formatToParts(value).map((part) => part.value).join("");
  }
  formatRange(one, other) {
    return `${this.format(one)} – ${this.format(other)}`;
  }
  formatToParts(value = Date.now()) {
    const date = new Date(value);
    if (Number.isNaN(date.getTime())) throw new RangeError("Invalid time value");
    const parts = [this.#date(date), this.#time(date)].filter((list) => list.length > 0);
    const between = this.#options.dateStyle === "full" || this.#options.dateStyle === "long" ? " at " : ", ";
    return parts.length < 2 ? parts.flat() : [...parts[0], { type: "literal", value: between }, ...parts[1]];
  }
  #get(date, field) {
    return isUtc(this.#zone) ? date[`getUTC${field}`]() : date[`get${field}`]();
  }
  #date(date) {
    const { weekday, year, month, day } = this.#options;
    const named = (list, index, style) => (style === "long" ? list[index] : style === "narrow" ? list[index][0] : list[index].slice(0, 3));
    const number = (value, style) => (style === "2-digit" ? String(value % 100).padStart(2, "0") : String(value));
    const isNamed = month && !["numeric", "2-digit"].includes(month);
    const at = this.#get(date, "Month");
    const given = {
      weekday: weekday && named(DAYS, this.#get(date, "Day"), weekday),
      month: month && (isNamed ? named(MONTHS, at, month) : number(at + 1, month)),
      day: day && number(this.#get(date, "Date"), day),
      year: year && number(this.#get(date, "FullYear"), year),
    };
    const result = [];
    for (const type of ["weekday", "month", "day", "year"]) {
      if (!given[type]) continue;
      const last = result.at(-1)?.type;
      const gap = last === "weekday" ? ", " : isNamed ? (last === "day" ? ", " : " ") : "/";
      if (last) result.push({ type: "literal", value: gap });
      result.push({ type, value: given[type] });
    }
    return result;
  }
  #time(date) {
    const { hour, minute, second, hour12, hourCycle, fractionalSecondDigits, timeZoneName } = this.#options;
    const is12 = hour12 ?? !(hourCycle === "h23" || hourCycle === "h24");
    const hours = this.#get(date, "Hours");
    const two = (value) => String(value).padStart(2, "0");
    const shown = is12 ? hours % 12 || 12 : hours;
    const result = [];
    const add = (type, value, gap) => {
      if (result.length > 0) result.push({ type: "literal", value: gap });
      result.push({ type, value });
    };
    if (hour) add("hour", hour === "2-digit" || !is12 ? two(shown) : String(shown));
    if (minute) add("minute", hour || second || minute === "2-digit" ? two(this.#get(date, "Minutes")) : String(this.#get(date, "Minutes")), ":");
    if (second) add("second", minute || second === "2-digit" ? two(this.#get(date, "Seconds")) : String(this.#get(date, "Seconds")), ":");
    if (fractionalSecondDigits) {
      add("fractionalSecond", String(this.#get(date, "Milliseconds")).padStart(3, "0").slice(0, fractionalSecondDigits), ".");
    }
    if (hour && is12) add("dayPeriod", hours < 12 ? "AM" : "PM", "\u202f");
    if (timeZoneName) add("timeZoneName", isUtc(this.#zone) ? "UTC" : offset(date), " ");
    return result;
  }
}
const offset = (date) => {
  const minutes = -date.getTimezoneOffset();
  const rest = Math.abs(minutes) % 60;
  return `GMT${minutes < 0 ? "-" : "+"}${Math.floor(Math.abs(minutes) / 60)}${rest ? `:${String(rest).padStart(2, "0")}` : ""}`;
};

class PluralRules extends Base {
  #type;
  constructor(locales, { type = "cardinal" } = {}) {
    super();
    this.#type = type;
  }
  select(number) {
    if (this.#type === "cardinal") return number === 1 ? "one" : "other";
    const [tens, ones] = [number % 100, number % 10];
    if (tens >= 11 && tens <= 13) return "other";
    return { 1: "one", 2: "two", 3: "few" }[ones] ?? "other";
  }
  resolvedOptions() {
    return { locale: LOCALE, type: this.#type };
  }
}

class ListFormat extends Base {
  #word;
  #isUnit;
  constructor(locales, { type = "conjunction" } = {}) {
    super();
    this.#word = type === "disjunction" ? "or" : "and";
    this.#isUnit = type === "unit";
  }
  format(items) {
    const list = [...items];
    if (this.#isUnit) return list.join(", ");
    if (list.length < 3) return list.join(` ${this.#word} `);
    return `${list.slice(0, -1).join(", ")}, ${this.#word} ${list.at(-1)}`;
  }
}

class RelativeTimeFormat extends Base {
  #numeric;
  constructor(locales, { numeric = "always" } = {}) {
    super();
    this.#numeric = numeric;
  }
  format(value, unit) {
    const name = String(unit).replace(/s$/, "");
    if (this.#numeric === "auto") {
      if (name === "day" && Math.abs(value) <= 1) return ["yesterday", "today", "tomorrow"][value + 1];
      if (name === "second" && value === 0) return "now";
      if (Math.abs(value) <= 1) return `${["last", "this", "next"][value + 1]} ${name}`;
    }
    const size = Math.abs(value);
    const words = `${new NumberFormat().format(size)} ${name}${size === 1 ? "" : "s"}`;
    return value < 0 || Object.is(value, -0) ? `${words} ago` : `in ${words}`;
  }
}

exports.Intl = {
  Segmenter,
  Collator,
  NumberFormat,
  DateTimeFormat,
  PluralRules,
  ListFormat,
  RelativeTimeFormat,
  getCanonicalLocales: (locales) => [locales ?? []].flat(),
  supportedValuesOf: (key) => (key === "timeZone" ? ["UTC", localZone()] : []),
};
