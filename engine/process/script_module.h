/* The border between the engine and the script module (libreprise_script.so): plain C, so that
 * no exception and no C++ object crosses it. engine/script_host.{h,cc} is the only caller;
 * processes/script/ the only implementation.
 *
 * Bytes returned by the module stay valid until the next call on the same script (or until it is
 * destroyed). All calls of one process are made on the module's own thread:
 * `run_on_engine_thread` starts it (with a large mapped stack, as the recursion check wants) and
 * runs a function there to its end.
 *
 * A process that used the module leaves by _exit: the engine cannot be torn down (see
 * spidermonkey's notes in docs/decisions/). */
#pragma once

#include "engine/process/module_table.h"

#ifdef __cplusplus
extern "C" {
#endif

#define REPRISE_SCRIPT_ABI 4u

typedef struct reprise_script reprise_script;

enum { REPRISE_MODULE_ESM = 0, REPRISE_MODULE_CJS = 1 };

/* A pinned source file. `path` is relative to the pinned root ("main.js", "lib/a.mjs"); scripts see
 * "reprise:/process/<path>". */
typedef struct {
  reprise_bytes path;
  reprise_bytes source;
  int32_t format; /* REPRISE_MODULE_* */
} reprise_source;

enum { REPRISE_IMPORT_RELATIVE = 0, REPRISE_IMPORT_PROVIDED = 1, REPRISE_IMPORT_REFUSED = 2 };

/* An import found in a source. `dynamic` ones (import('./x.js') with a literal, require('./x')
 * in a .cjs) may be missing: they fail when they are reached. line and column are 1-based.
 * `kind` says whether the sandbox provides it ("reprise", "node:path", ...), whether it is a
 * relative file to be pinned, or refused (then `message` says why and what to do instead). */
typedef struct {
  reprise_bytes specifier;
  reprise_bytes message;
  int32_t kind;
  uint32_t line;
  uint32_t column;
  int32_t dynamic;
} reprise_import;

typedef struct {
  const reprise_import* items;
  size_t count;
} reprise_imports;

/* status of every call */
enum {
  REPRISE_SCRIPT_OK = 0,
  REPRISE_SCRIPT_ERROR =
      1, /* the script is wrong: `error` is {"name","message","file","line","column","stack"} */
  REPRISE_SCRIPT_BUDGET =
      2, /* a budget was exceeded: `error` is {"budget":"cpu|memory|recursion","message",...}; the
            whole process must end without recording anything */
  REPRISE_SCRIPT_BUG = 3 /* the module itself failed: `error` is {"message"} */
};

typedef struct {
  uint64_t random_seed[2]; /* of the run, recorded */
  reprise_bytes run_id;
  reprise_bytes run_dir; /* as recorded */
  reprise_bytes process_id;
  reprise_bytes export_name; /* default "process" */
  const reprise_source* sources;
  size_t source_count;
  reprise_bytes entry; /* path of the entry among the sources */
  uint64_t heap_bytes; /* budget, 512 MiB by default */
  uint32_t rules;      /* of the run: see engine/process/rules.h */
} reprise_script_options;

enum {
  REPRISE_START = 0,
  REPRISE_RESOLVED = 1,
  REPRISE_CANCELLED = 2,
  REPRISE_SIGNAL = 3,
  REPRISE_CANCEL_RUN = 4 /* value: {"reason"}; everything that is awaited is rejected */
};

typedef struct {
  int32_t kind;
  int32_t ok; /* REPRISE_RESOLVED */
  uint64_t seq;
  int64_t at_ms;
  uint64_t effect;
  uint64_t next_effect; /* live: the lowest number that a new call may take (the module takes the
                           larger of this and its own counter); 0 in replay */
  reprise_bytes value;  /* inputs, result or signal value, JSON */
  reprise_bytes error;
  reprise_bytes name;
} reprise_activation;

enum {
  REPRISE_REQUEST = 0,
  REPRISE_EMIT = 1,
  REPRISE_COMPLETE = 2,
  REPRISE_FAIL = 3,
  REPRISE_HALT = 4,
  REPRISE_LOG = 5,
  REPRISE_WITHDRAW = 6 /* effect: its end would change nothing any more */
};

/* As struct Command in process.h. */
typedef struct {
  int32_t kind;
  uint64_t effect;
  int64_t due_ms;
  reprise_bytes task;
  reprise_bytes effect_kind;
  reprise_bytes label;
  reprise_bytes key;
  reprise_bytes args;
  reprise_bytes definition;
  reprise_bytes name;
  reprise_bytes json;
  reprise_bytes options;
  int32_t cancelled;
} reprise_command;

typedef struct {
  const reprise_command* commands;
  size_t count;
} reprise_commands;

#define REPRISE_AWAITED_MOST 16u

typedef struct {
  reprise_module_header module; /* abi: REPRISE_SCRIPT_ABI */
  uint32_t interface_version;   /* of ctx and the prelude; recorded in the journal */
  reprise_bytes engine;         /* "mozjs-102.15.1" */

  /* Starts the engine on its thread (once; later calls only run there) and runs fn(argument) on
   * it, waiting for its end. cache_dir: an absolute path of a private folder for the self-hosted
   * code, or empty for no cache. crash_text: written to standard error and crash_document to
   * standard output when the engine crashes or the hard time limit passes, before _exit(9); both
   * must stay valid. Returns a REPRISE_SCRIPT_* status; on failure *error says why. */
  int32_t (*run_on_engine_thread)(reprise_bytes cache_dir, reprise_bytes crash_text,
                                  reprise_bytes crash_document, void (*fn)(void*), void* argument,
                                  reprise_bytes* error);

  /* The following are called from fn only. */

  /* The imports of one source, without running it. */
  int32_t (*imports)(const reprise_source* source, reprise_imports* out, reprise_bytes* error);

  /* Compiles, links and evaluates the graph with the clock at `at_ms`, and finds the exported
   * function. The budget must be armed. On REPRISE_SCRIPT_ERROR *out is null. */
  int32_t (*load)(const reprise_script_options* options, int64_t at_ms, reprise_script** out,
                  reprise_bytes* error);
  void (*destroy)(reprise_script* script);

  /* Gives one activation and drains what it sets in motion. REPRISE_SCRIPT_OK also when the
   * script failed: then the only command is REPRISE_FAIL, everything else that it asked for is
   * dropped and its numbers are given back. REPRISE_LOG and REPRISE_WITHDRAW commands stand among
   * the others, in order. */
  int32_t (*apply)(reprise_script* script, const reprise_activation* activation,
                   reprise_commands* out, reprise_bytes* error);

  /* Arms the CPU budget of what follows (one-shot; replaces the one before). 0 takes it away: two
   * seconds of CPU after a budget has passed the process ends, whatever it is doing by then. */
  void (*arm)(int64_t cpu_ms);
  /* What is not seen at once: recursion to the limit, memory, a caught termination. To be called
   * before anything is committed, after each live activation and after a replay. */
  int32_t (*check)(reprise_script* script, reprise_bytes* error);

  /* The names of the signals that the process waits for, a JSON array in order, without repeats, of
   * at most REPRISE_AWAITED_MOST. */
  reprise_bytes (*awaited)(reprise_script* script);

  /* The highest effect number taken so far. */
  uint64_t (*highest_effect)(reprise_script* script);
} reprise_script_table;

#ifdef __cplusplus
}
#endif
