// A save is a domain event and nothing else: "memory.saved", with an id that follows from what is
// saved, so that a replay, a retry and a second save of the same words name the same memory.
#include "processes/script/memory_save.h"

#include <jsapi.h>

#include <cstdio>

#include "processes/script/asks.h"
#include "processes/script/call_options.h"
#include "processes/script/errors.h"
#include "processes/script/hash.h"
#include "processes/script/script.h"
#include "processes/script/values.h"

namespace reprise::script {

namespace {

constexpr size_t kLongestNoteBytes = size_t{64} << 10U;

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

bool read_note(JSContext* cx, JS::HandleValue given, std::string& note) {
  if (!read_name(cx, given, "ctx.memory.save needs a note, a string", note)) return false;
  if (is_blank(note)) return throw_type_error(cx, "ctx.memory.save needs a note that is not blank");
  if (note.size() <= kLongestNoteBytes) return true;
  return throw_type_error(cx, "the note has " + std::to_string(note.size()) + " bytes; " +
                                  std::to_string(kLongestNoteBytes) +
                                  " are the most: save what matters of it, and where the whole is");
}

// From 0 to 1.
bool check_share(JSContext* cx, JS::HandleObject options, const char* name) {
  JS::RootedValue value(cx, own_data(cx, options, name));
  if (value.isNullOrUndefined()) return true;
  if (value.isNumber() && value.toNumber() >= 0 && value.toNumber() <= 1) return true;
  return throw_type_error(cx, "options." + std::string(name) +
                                  " must be a number from 0 to 1, not " + shown(cx, value));
}

bool check_text(JSContext* cx, JS::HandleObject options, const char* name) {
  JS::RootedValue value(cx, own_data(cx, options, name));
  if (value.isNullOrUndefined() || value.isString()) return true;
  return throw_type_error(
      cx, "options." + std::string(name) + " must be a string, not " + shown(cx, value));
}

bool check_options(JSContext* cx, const CallOptions& options) {
  if (!options.key.empty() || options.label) {
    return throw_type_error(cx, "a memory has no key and no label: it has an id");
  }
  if (!options.rest) return true;
  if (!only_members(cx, options.rest, "options",
                    {"id", "summary", "kind", "class", "scope", "source", "importance",
                     "confidence", "metadata", "expiresAt"})) {
    return false;
  }
  for (const char* name : {"id", "summary", "kind", "class", "expiresAt"}) {
    if (!check_text(cx, options.rest, name)) return false;
  }
  return check_share(cx, options.rest, "importance") && check_share(cx, options.rest, "confidence");
}

// The id that the options name, which is taken off them, or one that follows from the rest.
bool take_id(JSContext* cx, CallOptions& options, const std::string& note, std::string& id) {
  std::string scope;
  if (options.rest) {
    JS::RootedValue value(cx, own_data(cx, options.rest, "id"));
    if (value.isString() &&
        !read_name(cx, value, "options.id must be a string that is not empty", id)) {
      return false;
    }
    if (id.find('/') != std::string::npos) {
      return throw_type_error(cx, "options.id is of this run alone: it holds no slash");
    }
    if (!JS_DeleteProperty(cx, options.rest, "id")) return false;
    value = own_data(cx, options.rest, "scope");
    if (!append_json(cx, value, "options.scope", KeyOrder::kSorted, scope)) return false;
  }
  if (!id.empty()) return true;
  char hash[24];
  std::snprintf(hash, sizeof hash, "n%016llx",
                static_cast<unsigned long long>(hash64(note, hash64(scope))));
  id = hash;
  return true;
}

}  // namespace

bool ctx_memory_save(JSContext* cx, Script& script, const JS::CallArgs& args) {
  args.rval().setUndefined();
  if (script.ended()) return true;
  if (script.engine().jobs().lane() != kProcessLane) {
    return throw_type_error(
        cx, "a task builder cannot save memories: call ctx.memory.save in the process itself");
  }
  std::string note, id, more;
  CallOptions options(cx);
  if (!read_note(cx, args.get(0), note) || !read_options(cx, args.get(1), options) ||
      !check_options(cx, options) || !take_id(cx, options, note, id)) {
    return false;
  }
  if (options.rest) {
    JS::RootedValue rest(cx, JS::ObjectValue(*options.rest));
    if (!append_json(cx, rest, "options", KeyOrder::kSorted, more)) return false;
  }
  CommandText event;
  event.kind = REPRISE_EMIT;
  event.name = "memory.saved";
  event.json = "{\"memoryId\":";
  append_json_string(event.json, id);
  event.json += ",\"note\":";
  append_json_string(event.json, note);
  event.json += more.size() > 2 ? "," + more.substr(1) : "}";
  script.add_command(std::move(event));
  JSString* name = new_string(cx, script.run_id() + "/" + id);
  if (!name) return false;
  args.rval().setString(name);
  return true;
}

}  // namespace reprise::script
