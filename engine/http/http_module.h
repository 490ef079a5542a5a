/* The border between the engine and the HTTP module (libreprise_http.so, which links libcurl):
 * plain C, so that no exception and no C++ object crosses it. engine/http/http_client.{h,cc} is the
 * only caller, http_module.cc the only implementation. */
#pragma once

#include "engine/process/module_table.h"

#ifdef __cplusplus
extern "C" {
#endif

#define REPRISE_HTTP_ABI 1u

/* How a request ended. Every answer of a server is REPRISE_HTTP_OK, whatever its status. */
enum {
  REPRISE_HTTP_OK = 0,
  REPRISE_HTTP_BAD_REQUEST = 1,     /* the url or an option; nothing was sent */
  REPRISE_HTTP_RESOLVE = 2,         /* no such host */
  REPRISE_HTTP_CONNECT = 3,         /* nobody listens, or no way there */
  REPRISE_HTTP_CONNECT_TIMEOUT = 4, /* no connection within connect_timeout_ms */
  REPRISE_HTTP_TLS = 5,             /* no TLS, or a certificate that is not trusted */
  REPRISE_HTTP_CUT_OFF = 6,         /* the connection ended before the answer did */
  REPRISE_HTTP_NOT_HTTP = 7,        /* what answers does not speak HTTP */
  REPRISE_HTTP_TIMEOUT = 8,         /* not done within timeout_ms */
  REPRISE_HTTP_IDLE = 9,            /* nothing came or went for idle_timeout_ms */
  REPRISE_HTTP_TOO_LARGE = 10,      /* more than max_response_bytes */
  REPRISE_HTTP_STOPPED = 11,        /* a callback said so */
  REPRISE_HTTP_FAILED = 12          /* anything else */
};

/* Texts end with a NUL. All of it must stay valid during the call. Times are milliseconds, 0 means
 * no limit. */
typedef struct {
  const char* method;
  const char* url;
  const char* const* headers; /* "Name: value", a null pointer behind the last */
  reprise_bytes body;
  const char* ca_file; /* certificates to trust instead of the system's, or empty */
  int32_t insecure;    /* take any certificate: loopback hosts only */
  int64_t connect_timeout_ms;
  int64_t timeout_ms;
  int64_t idle_timeout_ms;
  uint64_t max_response_bytes; /* headers and body; 0: no limit */

  void* user; /* for the callbacks, which must not throw */
  /* Each line of the answer's head without its end, status lines included; a status line begins
   * the head anew (an interim answer came before). */
  void (*on_head)(void* user, reprise_bytes line);
  /* A piece of the body; not 0: stop. */
  int32_t (*on_body)(void* user, reprise_bytes bytes);
  /* Asked several times a second; not 0: stop. */
  int32_t (*stopped)(void* user);
} reprise_http_request;

typedef struct {
  reprise_module_header module;

  /* One request to its end, over a connection of its own; follows no redirect. Proxies are those
   * of the environment, as curl knows them, but never for loopback hosts. Returns how it ended,
   * and in `message` (message_size bytes, ends with a NUL) why; messages hold no header and no
   * body. */
  int32_t (*send)(const reprise_http_request* request, char* message, size_t message_size);
} reprise_http_table;

#ifdef __cplusplus
}
#endif
