// Later additions to the language that are pure. Left alone if the engine has them.
//
// All files of the prelude run before any user code, and keep their own references: nothing they do
// later may call a method that user code could have replaced in the meantime. While they start they
// avoid for-of, destructuring and array methods: the first use of each costs start-up time.
(function () {
  'use strict';
  const { apply } = Reflect;
  const uncurry = (method) => (self, ...args) => apply(method, self, args);
  const push = uncurry(Array.prototype.push);
  const sort = uncurry(Array.prototype.sort);
  const { trunc, min, max } = Math;
  const TheRangeError = RangeError;
  const TheTypeError = TypeError;

  const addMissing = (target, methods) => {
    const names = Reflect.ownKeys(methods);
    for (let i = 0; i < names.length; i++) {
      if (names[i] in target) continue;
      Reflect.defineProperty(target, names[i],
        { value: methods[names[i]], writable: true, configurable: true, enumerable: false });
    }
  };
  const copyOf = (list) => {
    const copy = [];
    for (let i = 0; i < list.length; i++) push(copy, list[i]);
    return copy;
  };
  const lastIndex = (list, predicate, self) => {
    for (let i = list.length - 1; i >= 0; i--) {
      if (apply(predicate, self, [list[i], i, list])) return i;
    }
    return -1;
  };

  addMissing(Array.prototype, {
    findLast(predicate, self) {
      const index = lastIndex(this, predicate, self);
      return index < 0 ? undefined : this[index];
    },
    findLastIndex(predicate, self) {
      return lastIndex(this, predicate, self);
    },
    toReversed() {
      const reversed = [];
      for (let i = this.length - 1; i >= 0; i--) push(reversed, this[i]);
      return reversed;
    },
    toSorted(compare) {
      return sort(copyOf(this), compare);
    },
    toSpliced(start, count, ...items) {
      const { length } = this;
      const index = trunc(start) || 0;
      const from = index < 0 ? max(length + index, 0) : min(index, length);
      const rest = length - from;
      const removed = arguments.length === 0 ? 0
        : arguments.length === 1 ? rest : min(max(trunc(count) || 0, 0), rest);
      const spliced = [];
      for (let i = 0; i < from; i++) push(spliced, this[i]);
      for (let i = 0; i < items.length; i++) push(spliced, items[i]);
      for (let i = from + removed; i < length; i++) push(spliced, this[i]);
      return spliced;
    },
    with(index, value) {
      const at = trunc(index) || 0;
      const real = at < 0 ? this.length + at : at;
      if (real < 0 || real >= this.length) {
        throw new TheRangeError(`index ${index} is outside of the array`);
      }
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
        if (key in groups) push(groups[key], item);
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
  addMissing(globalThis, {
    queueMicrotask(callback) {
      if (typeof callback !== 'function') throw new TheTypeError('queueMicrotask needs a function');
      (async () => {
        await undefined;
        callback();
      })();
    },
  });
})
