/* What every module of reprise begins with: plain C, so that no exception and no C++ object crosses
 * the border. A module (a shared library that only the commands load which need it) exports one
 * function, which returns a pointer to the first member of its table:
 *
 *   typedef struct { reprise_module_header module; ... functions ... } reprise_NAME_table;
 *
 * engine/module.{h,cc} opens modules. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  const char* data;
  size_t size;
} reprise_bytes;

typedef struct {
  uint32_t abi;        /* of the module's table */
  reprise_bytes build; /* must equal the binary's REPRISE_VERSION */
} reprise_module_header;

/* A module's only exported symbol. */
typedef const reprise_module_header* (*reprise_module_fn)(void);

#ifdef __cplusplus
}
#endif
