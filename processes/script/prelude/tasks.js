// What a task builder is given, and the built-in module: 'reprise', '@a5c-ai/babysitter-sdk'.
(function (host) {
  'use strict';
  const { apply } = Reflect;
  const uncurry = (method) => (self, ...args) => apply(method, self, args);
  const indexOf = uncurry(String.prototype.indexOf);
  const trim = uncurry(String.prototype.trim);
  const { freeze } = Object;
  const TheMap = Map;
  const TheString = String;
  const TheTypeError = TypeError;

  const { runId, runDir } = host;
  const tasksDir = runDir + '/tasks';

  host.taskContext = (effectId, invocationKey, taskId, label) => freeze({
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
      throw new TheTypeError(
        'createBlobRef is not supported: put the value into args or into the definition itself');
    },
    toTaskRelativePath(path) {
      const text = TheString(path);
      if (text === '' || text[0] === '/' || indexOf('/' + text + '/', '/../') >= 0) {
        throw new TheTypeError(
          `toTaskRelativePath needs a path below the task's folder, not "${text}"`);
      }
      return `tasks/${effectId}/${text}`;
    },
  });

  // Options of a call that belong to the definition, too.
  const given = (name, value) => (value === undefined ? undefined : { [name]: value });
  host.withOptions = (definition, { timeoutMs, retry, onLost, outputSchema }) => ({
    ...definition,
    ...given('timeoutMs', timeoutMs),
    ...given('retry', retry),
    ...given('onLost', onLost),
    ...given('outputSchema', outputSchema),
  });

  // The definition of an effect that needs no task: { kind, title, [member]: content and the other
  // options }. What tasks have in options, too, stands where it stands in theirs.
  host.definitionOf = (kind, title, member, content, options) => {
    const { timeoutMs, retry, onLost, outputSchema, ...others } = options;
    const described = { kind, ...given('title', title), [member]: { ...content, ...others } };
    return host.withOptions(described, options);
  };

  // ---- defineTask(id, build, defaults), defineTask(id, definition), defineTask({ id, ... })

  const withDefaults = (built, defaults) => {
    if (typeof built !== 'object' || built === null) return built;
    const merged = { ...built };
    const inherit = (name) => {
      if (merged[name] === undefined && defaults[name] !== undefined) merged[name] = defaults[name];
    };
    inherit('kind');
    inherit('description');
    inherit('labels');
    inherit('inputSchema');
    inherit('outputSchema');
    return merged;
  };
  const whenBuilt = (built, then) =>
    (typeof built?.then === 'function' ? (async () => then(await built))() : then(built));
  const fromObject = (given) => {
    const { id, name, run, inputs, outputs, ...definition } = given;
    if (inputs !== undefined && definition.inputSchema === undefined) {
      definition.inputSchema = inputs;
    }
    if (outputs !== undefined && definition.outputSchema === undefined) {
      definition.outputSchema = outputs;
    }
    if (typeof run !== 'function') return () => definition;
    return (args, ctx) =>
      whenBuilt(apply(run, given, [args, ctx]), (built) => ({ ...definition, ...built }));
  };
  const buildOf = (source, defaults) => {
    if (typeof source !== 'function') return fromObject(source);
    if (defaults === undefined || defaults === null) return source;
    return (args, ctx) => whenBuilt(source(args, ctx), (built) => withDefaults(built, defaults));
  };

  host.sdk = () => {
    const mapGet = uncurry(TheMap.prototype.get);
    const mapSet = uncurry(TheMap.prototype.set);
    const mapHas = uncurry(TheMap.prototype.has);
    const registry = new TheMap();
    const defineTask = (first, second, defaults) => {
      const named = typeof first === 'string';
      const id = named ? first : first?.id ?? first?.name;
      const source = named ? second : first;
      if (typeof id !== 'string' || trim(id) === '') {
        throw new TheTypeError('defineTask needs a task id');
      }
      if (typeof source !== 'function' && (typeof source !== 'object' || source === null)) {
        throw new TheTypeError(
          `defineTask("${id}") needs a function that builds the task, or its definition`);
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
})
