// What every process finds besides the language: pure additions, fixed answers in place of the locale's, and the parts
// of ctx and of the built-in module that are easier said in JavaScript. Runs before any user code and keeps its own
// references: nothing below may call a method that user code could have replaced in the meantime.
(function (host) {
  'use strict';
  const { apply } = Reflect;
  const { freeze, defineProperty } = Object;
  const uncurry = (method) => (self, ...args) => apply(method, self, args);
  const charCodeAt = uncurry(String.prototype.charCodeAt);
  const indexOf = uncurry(String.prototype.indexOf);
  const slice = uncurry(String.prototype.slice);
  const padStart = uncurry(String.prototype.padStart);
  const trim = uncurry(String.prototype.trim);
  const normalize = uncurry(String.prototype.normalize);
  const toLowerCase = uncurry(String.prototype.toLowerCase);
  const toUpperCase = uncurry(String.prototype.toUpperCase);
  const toFixed = uncurry(Number.prototype.toFixed);
  const numberValue = uncurry(Number.prototype.valueOf);
  const bigIntValue = uncurry(BigInt.prototype.valueOf);
  const timeValue = uncurry(Date.prototype.getTime);
  const mapGet = uncurry(Map.prototype.get);
  const mapSet = uncurry(Map.prototype.set);
  const mapHas = uncurry(Map.prototype.has);
  const arraySort = uncurry(Array.prototype.sort);
  const arrayPush = uncurry(Array.prototype.push);
  const { isArray } = Array;
  const { trunc, min, max } = Math;
  const { isInteger } = Number;
  const TheBigInt = BigInt;
  const ThePromise = Promise;
  const TheTypeError = TypeError;
  const TheRangeError = RangeError;
  const TheString = String;
  const TheMap = Map;

  const define = (target, methods) => {
    for (const name of Object.keys(methods)) {
      defineProperty(target, name, { value: methods[name], writable: true, configurable: true, enumerable: false });
    }
  };
  const addMissing = (target, methods) => {
    for (const name of Object.keys(methods)) {
      if (name in target) delete methods[name];
    }
    define(target, methods);
  };

  // ---- Later additions to the language that are pure. Left alone if the engine has them.

  const toIndex = (value, length) => {
    const index = trunc(value) || 0;
    return index < 0 ? max(length + index, 0) : min(index, length);
  };
  const copyOf = (list) => {
    const copy = [];
    for (let i = 0; i < list.length; i++) arrayPush(copy, list[i]);
    return copy;
  };
  addMissing(Array.prototype, {
    findLast(predicate, self) {
      for (let i = this.length - 1; i >= 0; i--) {
        if (apply(predicate, self, [this[i], i, this])) return this[i];
      }
      return undefined;
    },
    findLastIndex(predicate, self) {
      for (let i = this.length - 1; i >= 0; i--) {
        if (apply(predicate, self, [this[i], i, this])) return i;
      }
      return -1;
    },
    toReversed() {
      const reversed = [];
      for (let i = this.length - 1; i >= 0; i--) arrayPush(reversed, this[i]);
      return reversed;
    },
    toSorted(compare) {
      return arraySort(copyOf(this), compare);
    },
    toSpliced(start, count, ...items) {
      const copy = copyOf(this);
      if (arguments.length === 0) return copy;
      const from = toIndex(start, copy.length);
      const removed = arguments.length === 1 ? copy.length - from : min(max(trunc(count) || 0, 0), copy.length - from);
      const tail = [];
      for (let i = from + removed; i < copy.length; i++) arrayPush(tail, copy[i]);
      copy.length = from;
      for (let i = 0; i < items.length; i++) arrayPush(copy, items[i]);
      for (let i = 0; i < tail.length; i++) arrayPush(copy, tail[i]);
      return copy;
    },
    with(index, value) {
      const at = trunc(index) || 0;
      const real = at < 0 ? this.length + at : at;
      if (real < 0 || real >= this.length) throw new TheRangeError(`index ${index} is outside of the array`);
      const copy = copyOf(this);
      copy[real] = value;
      return copy;
    },
  });
  addMissing(Object, {
    groupBy(items, keyOf) {
      const groups = { __proto__: null };
      let index = 0;
      for (const item of items) {
        const key = keyOf(item, index++);
        if (key in groups) arrayPush(groups[key], item);
        else groups[key] = [item];
      }
      return groups;
    },
  });
  addMissing(Promise, {
    withResolvers() {
      const made = {};
      made.promise = new this((resolve, reject) => {
        made.resolve = resolve;
        made.reject = reject;
      });
      return made;
    },
  });
  define(globalThis, {
    queueMicrotask(callback) {
      if (typeof callback !== 'function') throw new TheTypeError('queueMicrotask needs a function');
      (async () => {
        await undefined;
        callback();
      })();
    },
  });

  // ---- One fixed answer in place of the locale's: English (US) in its plain forms, UTC.

  const group = (digits) => {
    let out = '';
    let rest = digits;
    while (rest.length > 3) {
      out = ',' + slice(rest, -3) + out;
      rest = slice(rest, 0, -3);
    }
    return rest + out;
  };
  const symbols = { __proto__: null, USD: '$', EUR: '€', GBP: '£', JPY: '¥' };
  const digitsOption = (value, otherwise) => (isInteger(value) && value >= 0 && value <= 20 ? value : otherwise);
  const fixed = (magnitude, least, most) => {
    if (magnitude >= 1e21) return TheString(TheBigInt(magnitude));
    let text = toFixed(magnitude, most);
    let end = text.length;
    if (most > 0) {
      const point = text.length - most;
      while (end > point + least && text[end - 1] === '0') end--;
      if (end === point) end--;
    }
    return slice(text, 0, end);
  };
  const formatNumber = (number, given) => {
    const options = given === undefined || given === null ? { __proto__: null } : given;
    const style = options.style;
    const usual = style === 'currency' ? (options.currency === 'JPY' ? 0 : 2) : 0;
    const least = digitsOption(options.minimumFractionDigits, min(usual, digitsOption(options.maximumFractionDigits, usual)));
    const most = max(least, digitsOption(options.maximumFractionDigits,
        style === 'currency' ? usual : style === 'percent' ? 0 : 3));
    if (number !== number) return 'NaN';
    const negative = number < 0 || (number === 0 && 1 / number < 0);
    const magnitude = (negative ? -number : number) * (style === 'percent' ? 100 : 1);
    let text = '∞';
    if (magnitude !== Infinity) {
      const plain = fixed(magnitude, least, most);
      const point = indexOf(plain, '.');
      const whole = point < 0 ? plain : slice(plain, 0, point);
      text = (options.useGrouping === false ? whole : group(whole)) + (point < 0 ? '' : slice(plain, point));
    }
    if (style === 'percent') text += '%';
    if (style === 'currency') text = (symbols[options.currency] ?? TheString(options.currency) + '\u00a0') + text;
    return (negative ? '-' : '') + text;
  };
  const pad = (number, width) => padStart(TheString(number), width, '0');
  const utc = (name) => uncurry(Date.prototype['getUTC' + name]);
  const [year, month, day, hours, minutes, seconds] =
      ['FullYear', 'Month', 'Date', 'Hours', 'Minutes', 'Seconds'].map(utc);
  const dateText = (date) => `${month(date) + 1}/${day(date)}/${year(date)}`;
  const timeText = (date) =>
      `${hours(date) % 12 || 12}:${pad(minutes(date), 2)}:${pad(seconds(date), 2)} ${hours(date) < 12 ? 'AM' : 'PM'}`;
  const orInvalid = (date, text) => (timeValue(date) !== timeValue(date) ? 'Invalid Date' : text(date));

  // Order of text: letters by alphabet whatever their case and accents, after digits, after punctuation; of two texts
  // that are the same so far, fewer accents first, then lower case first.
  const ranks = [];
  const alphabet = '\t\n\v\f\r _-,;:!?.\'"()[]{}@*/\\&#%`^+<=>|~$0123456789abcdefghijklmnopqrstuvwxyz';
  for (let code = 0; code < 128; code++) ranks[code] = alphabet.indexOf(String.fromCharCode(code)) + 1;
  const isMark = (code) => code >= 0x300 && code <= 0x36f;
  const weights = (lower) => {
    const out = [];
    for (let i = 0; i < lower.length; i++) {
      const code = charCodeAt(lower, i);
      if (!isMark(code)) arrayPush(out, code < 128 ? ranks[code] : code);
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

  define(Number.prototype, {
    toLocaleString(locales, options) { return formatNumber(numberValue(this), options); },
  });
  define(BigInt.prototype, {
    toLocaleString() {
      const text = TheString(bigIntValue(this));
      return text[0] === '-' ? '-' + group(slice(text, 1)) : group(text);
    },
  });
  define(Date.prototype, {
    toLocaleString() { return orInvalid(this, (date) => `${dateText(date)}, ${timeText(date)}`); },
    toLocaleDateString() { return orInvalid(this, dateText); },
    toLocaleTimeString() { return orInvalid(this, timeText); },
  });
  define(String.prototype, {
    localeCompare(that) { return compareText(TheString(this), TheString(that)); },
    toLocaleLowerCase() { return toLowerCase(this); },
    toLocaleUpperCase() { return toUpperCase(this); },
  });

  // ---- ctx.parallel

  const checkList = (list, what) => {
    if (!isArray(list)) throw new TheTypeError(`${what} needs an array`);
  };
  const limitOf = (options, count) => {
    const given = options === undefined || options === null ? undefined : options.maxConcurrency;
    if (given === undefined || given === null) return count;
    if (!(isInteger(given) && given >= 1)) {
      throw new TheTypeError(`maxConcurrency must be a whole number of at least 1, not ${TheString(given)}`);
    }
    return given;
  };
  // Starts start(0) to start(count - 1) in order, `limit` at a time; resolves to all results, undefined ones too, or
  // rejects with the first rejection, after which nothing new is started.
  const gather = (count, limit, start, resolve, reject) => {
    const results = [];
    for (let i = 0; i < count; i++) arrayPush(results, undefined);
    let next = 0;
    let left = count;
    let failed = false;
    const work = async () => {
      try {
        while (next < count && !failed) {
          const i = next++;
          results[i] = await start(i);
          left--;
        }
        if (left === 0) resolve(results);
      } catch (error) {
        failed = true;
        reject(error);
      }
    };
    if (count === 0) resolve(results);
    for (let i = 0; i < limit && i < count; i++) work();
  };
  const parallel = {
    all: (thunks, options) => new ThePromise((resolve, reject) => {
      checkList(thunks, 'ctx.parallel.all');
      let limit = limitOf(options, thunks.length);
      // Promises are running already: there is nothing to hold back.
      for (let i = 0; i < thunks.length; i++) {
        if (typeof thunks[i] !== 'function') limit = thunks.length;
      }
      const start = (i) => {
        const item = thunks[i];
        return typeof item === 'function' ? item() : item;
      };
      gather(thunks.length, limit, start, resolve, reject);
    }),
    map: (items, callback, options) => new ThePromise((resolve, reject) => {
      checkList(items, 'ctx.parallel.map');
      if (typeof callback !== 'function') throw new TheTypeError('ctx.parallel.map needs a function');
      gather(items.length, limitOf(options, items.length), (i) => callback(items[i], i), resolve, reject);
    }),
  };

  // ---- What a task builder is given.

  const { runId, runDir } = host;
  const tasksDir = runDir + '/tasks';
  const taskContext = (effectId, invocationKey, taskId, label) => freeze({
    effectId,
    invocationKey,
    taskId,
    runId,
    runDir,
    taskDir: tasksDir + '/' + effectId,
    tasksDir,
    label,
    labels: label === undefined ? [] : [label],
    createBlobRef() {
      throw new TheTypeError('createBlobRef is not supported: put the value into args or into the definition itself');
    },
    toTaskRelativePath(path) {
      const text = TheString(path);
      if (text === '' || text[0] === '/' || indexOf('/' + text + '/', '/../') >= 0) {
        throw new TheTypeError(`toTaskRelativePath needs a path below the task's folder, not "${text}"`);
      }
      return `tasks/${effectId}/${text}`;
    },
  });
  // Options of a call that belong to the definition, too.
  const withOptions = (definition, options) => {
    const merged = { ...definition };
    if (options.timeoutMs !== undefined) merged.timeoutMs = options.timeoutMs;
    if (options.retry !== undefined) merged.retry = options.retry;
    if (options.onLost !== undefined) merged.onLost = options.onLost;
    if (options.outputSchema !== undefined) merged.outputSchema = options.outputSchema;
    return merged;
  };
  const breakpointDefinition = (payload, options) => {
    const definition = { kind: 'breakpoint' };
    if (typeof payload?.title === 'string') definition.title = payload.title;
    const { key, label, ...routing } = options ?? {};
    definition.breakpoint = { payload, ...routing };
    return definition;
  };

  // ---- The built-in module, 'reprise' and '@a5c-ai/babysitter-sdk'.

  const sdk = () => {
    const registry = new TheMap();
    const inherited = ['kind', 'description', 'labels', 'inputSchema', 'outputSchema'];
    const withDefaults = (built, defaults) => {
      if (typeof built !== 'object' || built === null) return built;
      const merged = { ...built };
      for (let i = 0; i < inherited.length; i++) {
        const name = inherited[i];
        if (merged[name] === undefined && defaults[name] !== undefined) merged[name] = defaults[name];
      }
      return merged;
    };
    const whenBuilt = (built, then) =>
        typeof built?.then === 'function' ? (async () => then(await built))() : then(built);
    const fromObject = (given) => {
      const { id, name, run, inputs, outputs, ...definition } = given;
      if (inputs !== undefined && definition.inputSchema === undefined) definition.inputSchema = inputs;
      if (outputs !== undefined && definition.outputSchema === undefined) definition.outputSchema = outputs;
      if (typeof run !== 'function') return () => definition;
      return (args, ctx) => whenBuilt(apply(run, given, [args, ctx]), (built) => ({ ...definition, ...built }));
    };
    const buildOf = (source, defaults) => {
      if (typeof source !== 'function') return fromObject(source);
      if (defaults === undefined || defaults === null) return source;
      return (args, ctx) => whenBuilt(source(args, ctx), (built) => withDefaults(built, defaults));
    };
    const defineTask = (first, second, defaults) => {
      const named = typeof first === 'string';
      const id = named ? first : first?.id ?? first?.name;
      const source = named ? second : first;
      if (typeof id !== 'string' || trim(id) === '') throw new TheTypeError('defineTask needs a task id');
      if (typeof source !== 'function' && (typeof source !== 'object' || source === null)) {
        throw new TheTypeError(`defineTask("${id}") needs a function that builds the task, or its definition`);
      }
      const task = freeze({ id: trim(id), build: buildOf(source, defaults) });
      mapSet(registry, task.id, task);
      return task;
    };
    const globalTaskRegistry = freeze({
      hasTask: (id) => mapHas(registry, id),
      has: (id) => mapHas(registry, id),
      get: (id) => mapGet(registry, id),
    });
    return { defineTask, globalTaskRegistry };
  };

  return { __proto__: null, parallel, taskContext, withOptions, breakpointDefinition, sdk };
})
