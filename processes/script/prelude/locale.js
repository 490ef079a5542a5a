// One fixed answer in place of the locale's: English (US) in its plain forms, UTC. The engine's own
// would change with the data of its library.
(function () {
  'use strict';
  const { apply } = Reflect;
  const uncurry = (method) => (self, ...args) => apply(method, self, args);
  const text = String.prototype;
  const charCodeAt = uncurry(text.charCodeAt);
  const indexOf = uncurry(text.indexOf);
  const slice = uncurry(text.slice);
  const normalize = uncurry(text.normalize);
  const toLowerCase = uncurry(text.toLowerCase);
  const toUpperCase = uncurry(text.toUpperCase);
  const toFixed = uncurry(Number.prototype.toFixed);
  const numberValue = uncurry(Number.prototype.valueOf);
  const bigIntValue = uncurry(BigInt.prototype.valueOf);
  const date = Date.prototype;
  const timeValue = uncurry(date.getTime);
  const year = uncurry(date.getUTCFullYear);
  const month = uncurry(date.getUTCMonth);
  const day = uncurry(date.getUTCDate);
  const hours = uncurry(date.getUTCHours);
  const minutes = uncurry(date.getUTCMinutes);
  const seconds = uncurry(date.getUTCSeconds);
  const push = uncurry(Array.prototype.push);
  const { min, max } = Math;
  const { isInteger } = Number;
  const TheBigInt = BigInt;
  const TheString = String;

  const replace = (target, methods) => {
    const names = Reflect.ownKeys(methods);
    for (let i = 0; i < names.length; i++) {
      Reflect.defineProperty(target, names[i],
        { value: methods[names[i]], writable: true, configurable: true, enumerable: false });
    }
  };

  // ---- Numbers: groups of three, a point, at most three digits behind it.

  const group = (digits) => {
    let out = '';
    let rest = digits;
    while (rest.length > 3) {
      out = ',' + slice(rest, -3) + out;
      rest = slice(rest, 0, -3);
    }
    return rest + out;
  };
  const fixed = (magnitude, least, most) => {
    if (magnitude >= 1e21) return TheString(TheBigInt(magnitude));
    const plain = toFixed(magnitude, most);
    if (most === 0) return plain;
    const point = plain.length - most;
    let end = plain.length;
    while (end > point + least && plain[end - 1] === '0') end--;
    return slice(plain, 0, end === point ? end - 1 : end);
  };
  const digitsOption = (value, otherwise) =>
    (isInteger(value) && value >= 0 && value <= 20 ? value : otherwise);
  // [least, most] digits behind the point.
  const digitsOf = (options) => {
    const usual = options.style === 'currency' && options.currency !== 'JPY' ? 2 : 0;
    const highest = options.style === 'currency' ? usual : options.style === 'percent' ? 0 : 3;
    const given = digitsOption(options.maximumFractionDigits, highest);
    const least = digitsOption(options.minimumFractionDigits, min(usual, given));
    return { least, most: max(least, given) };
  };
  const symbols = { __proto__: null, USD: '$', EUR: '€', GBP: '£', JPY: '¥' };
  const formatNumber = (number, given) => {
    if (number !== number) return 'NaN';
    const options = given ?? { __proto__: null };
    const { least, most } = digitsOf(options);
    const negative = number < 0 || (number === 0 && 1 / number < 0);
    const magnitude = (negative ? -number : number) * (options.style === 'percent' ? 100 : 1);
    let out = '∞';
    if (magnitude !== Infinity) {
      const plain = fixed(magnitude, least, most);
      const point = indexOf(plain, '.');
      const whole = point < 0 ? plain : slice(plain, 0, point);
      out = (options.useGrouping === false ? whole : group(whole)) +
        (point < 0 ? '' : slice(plain, point));
    }
    if (options.style === 'percent') out += '%';
    if (options.style === 'currency') {
      out = (symbols[options.currency] ?? TheString(options.currency) + '\u00a0') + out;
    }
    return (negative ? '-' : '') + out;
  };

  // ---- Times: 11/21/2026, 8:15:02 PM

  const two = (number) => (number < 10 ? '0' : '') + number;
  const dateText = (value) => `${month(value) + 1}/${day(value)}/${year(value)}`;
  const timeText = (value) => {
    const hour = hours(value);
    const half = hour < 12 ? 'AM' : 'PM';
    return `${hour % 12 || 12}:${two(minutes(value))}:${two(seconds(value))} ${half}`;
  };
  const orInvalid = (value, format) =>
    (timeValue(value) !== timeValue(value) ? 'Invalid Date' : format(value));

  // ---- Order of text: letters by alphabet whatever their case and accents, after digits, after
  // punctuation, after blanks; of two texts that are the same so far, fewer accents first, then
  // lower case first.

  const alphabet = '\t\n\v\f\r _-,;:!?.\'"()[]{}@*/\\&#%`^+<=>|~$' +
    '0123456789abcdefghijklmnopqrstuvwxyz';
  const makeRanks = () => {
    const made = { __proto__: null };
    for (let i = 0; i < 128; i++) made[i] = 0;
    for (let i = 0; i < alphabet.length; i++) made[charCodeAt(alphabet, i)] = i + 1;
    return made;
  };
  let ranks = null;
  const rank = (code) => {
    if (code >= 128) return code;
    ranks ??= makeRanks();
    return ranks[code];
  };
  const isMark = (code) => code >= 0x300 && code <= 0x36f;
  const weights = (lower) => {
    const out = [];
    for (let i = 0; i < lower.length; i++) {
      const code = charCodeAt(lower, i);
      if (!isMark(code)) push(out, rank(code));
    }
    return out;
  };
  const compareLists = (a, b) => {
    for (let i = 0; i < a.length && i < b.length; i++) {
      if (a[i] !== b[i]) return a[i] < b[i] ? -1 : 1;
    }
    return a.length === b.length ? 0 : a.length < b.length ? -1 : 1;
  };
  const compareText = (first, second) => {
    const a = normalize(first, 'NFD');
    const b = normalize(second, 'NFD');
    if (a === b) return 0;
    const lowerA = toLowerCase(a);
    const lowerB = toLowerCase(b);
    const primary = compareLists(weights(lowerA), weights(lowerB));
    if (primary !== 0) return primary;
    if (lowerA !== lowerB) return lowerA < lowerB ? -1 : 1;
    return a < b ? 1 : -1;
  };

  replace(Number.prototype, {
    toLocaleString(locales, options) { return formatNumber(numberValue(this), options); },
  });
  replace(BigInt.prototype, {
    toLocaleString() {
      const digits = TheString(bigIntValue(this));
      return digits[0] === '-' ? '-' + group(slice(digits, 1)) : group(digits);
    },
  });
  replace(date, {
    toLocaleString() {
      return orInvalid(this, (value) => `${dateText(value)}, ${timeText(value)}`);
    },
    toLocaleDateString() { return orInvalid(this, dateText); },
    toLocaleTimeString() { return orInvalid(this, timeText); },
  });
  replace(text, {
    localeCompare(that) { return compareText(TheString(this), TheString(that)); },
    toLocaleLowerCase() { return toLowerCase(this); },
    toLocaleUpperCase() { return toUpperCase(this); },
  });
})
