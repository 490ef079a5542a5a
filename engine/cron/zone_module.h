/* The border between the engine and the module of time zones (libreprise_zones.so, which links
 * cctz): plain C. engine/cron/zone.{h,cc} is the only caller, zone_module.cc the only
 * implementation. */
#pragma once

#include "engine/process/module_table.h"

#ifdef __cplusplus
extern "C" {
#endif

#define REPRISE_ZONES_ABI 1u

typedef struct reprise_zone reprise_zone;

typedef struct {
  int64_t from_s;
  int64_t until_s;
  int64_t offset_s;
} reprise_zone_span;

typedef struct {
  reprise_module_header module;

  /* NULL when there is none of that name, which ends with a NUL. close() frees it. */
  reprise_zone* (*open)(const char* name);
  void (*close)(reprise_zone* zone);
  /* The span that holds a second, counted from 1970. Where it has no beginning or end, `never` is
   * there, negative for the beginning. */
  reprise_zone_span (*span)(const reprise_zone* zone, int64_t utc_s, int64_t never);
} reprise_zone_table;

#ifdef __cplusplus
}
#endif
