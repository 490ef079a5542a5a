// ctx.parallel
(function (host) {
  'use strict';
  const { apply } = Reflect;
  const arrayPush = Array.prototype.push;
  const push = (list, value) => apply(arrayPush, list, [value]);
  const { isArray } = Array;
  const { isInteger } = Number;
  const ThePromise = Promise;
  const TheTypeError = TypeError;
  const TheString = String;

  const checkList = (list, what) => {
    if (!isArray(list)) throw new TheTypeError(`${what} needs an array`);
  };
  const limitOf = (options, count) => {
    const given = options?.maxConcurrency;
    if (given === undefined || given === null) return count;
    if (isInteger(given) && given >= 1) return given;
    throw new TheTypeError(
      `maxConcurrency must be a whole number of at least 1, not ${TheString(given)}`);
  };
  // Starts start(0) to start(count - 1) in order, `limit` at a time; resolves to all results,
  // undefined ones too, or rejects with the first rejection, after which nothing new is started.
  const gather = (count, limit, start, resolve, reject) => {
    const results = [];
    for (let i = 0; i < count; i++) push(results, undefined);
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

  host.parallel = {
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
      if (typeof callback !== 'function') {
        throw new TheTypeError('ctx.parallel.map needs a function');
      }
      const limit = limitOf(options, items.length);
      gather(items.length, limit, (i) => callback(items[i], i), resolve, reject);
    }),
  };
})
