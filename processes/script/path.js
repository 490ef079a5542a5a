// node:path for POSIX, with the working directory "/": nothing here touches a file.
(function () {
  'use strict';
  const check = (path, name = 'path') => {
    if (typeof path !== 'string') {
      throw new TypeError(`The "${name}" argument must be of type string`);
    }
    return path;
  };
  const clean = (path, absolute) => {
    const out = [];
    for (const part of path.split('/')) {
      if (part === '' || part === '.') continue;
      if (part !== '..') out.push(part);
      else if (out.length > 0 && out[out.length - 1] !== '..') out.pop();
      else if (!absolute) out.push('..');
    }
    return out.join('/');
  };
  const trimEnd = (path) => {
    let end = path.length;
    while (end > 1 && path[end - 1] === '/') end--;
    return path.slice(0, end);
  };
  const isAbsolute = (path) => check(path).startsWith('/');
  const normalize = (path) => {
    if (check(path) === '') return '.';
    const absolute = path.startsWith('/');
    let out = clean(path, absolute);
    if (out === '' && !absolute) out = '.';
    if (out !== '' && path.endsWith('/')) out += '/';
    return (absolute ? '/' : '') + out;
  };
  const join = (...parts) => {
    const joined = parts.filter((part) => check(part) !== '').join('/');
    return joined === '' ? '.' : normalize(joined);
  };
  const resolve = (...parts) => {
    let path = '';
    for (let i = parts.length - 1; i >= 0 && !path.startsWith('/'); i--) {
      if (check(parts[i], `paths[${i}]`) === '') continue;
      path = path === '' ? parts[i] : `${parts[i]}/${path}`;
    }
    return '/' + clean(path, true);
  };
  const relative = (from, to) => {
    const source = clean(resolve(check(from, 'from')), true).split('/').filter(Boolean);
    const target = clean(resolve(check(to, 'to')), true).split('/').filter(Boolean);
    let same = 0;
    while (same < source.length && same < target.length && source[same] === target[same]) same++;
    return [...source.slice(same).map(() => '..'), ...target.slice(same)].join('/');
  };
  const dirname = (path) => {
    const trimmed = trimEnd(check(path));
    const slash = trimmed.lastIndexOf('/');
    if (slash < 0) return '.';
    return slash === 0 ? '/' : trimEnd(trimmed.slice(0, slash));
  };
  const basename = (path, suffix) => {
    const trimmed = trimEnd(check(path));
    const base = trimmed.slice(trimmed.lastIndexOf('/') + 1);
    if (suffix === undefined || base === check(suffix, 'ext')) return base;
    return base.endsWith(suffix) ? base.slice(0, base.length - suffix.length) : base;
  };
  const extname = (path) => {
    const base = basename(path);
    const dot = base.lastIndexOf('.');
    return dot <= 0 || base === '..' ? '' : base.slice(dot);
  };
  const parse = (path) => {
    const root = isAbsolute(path) ? '/' : '';
    const base = basename(path);
    const ext = extname(path);
    const dir = trimEnd(path).includes('/') ? dirname(path) : '';
    return { root, dir, base, ext, name: base.slice(0, base.length - ext.length) };
  };
  const format = (parts) => {
    const base = parts.base || `${parts.name || ''}${parts.ext || ''}`;
    const dir = parts.dir || parts.root;
    if (!dir) return base;
    return dir === parts.root ? dir + base : `${dir}/${base}`;
  };
  const toNamespacedPath = (path) => path;
  const path = {
    sep: '/', delimiter: ':', isAbsolute, normalize, join, resolve, relative, dirname, basename,
    extname, parse, format, toNamespacedPath,
  };
  path.posix = path;
  return path;
})
