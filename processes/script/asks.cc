#include "processes/script/asks.h"

#include <js/Array.h>
#include <js/Promise.h>
#include <js/PropertyAndElement.h>
#include <js/ValueArray.h>
#include <jsapi.h>
#include <jsfriendapi.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "processes/script/call_options.h"
#include "processes/script/errors.h"
#include "processes/script/script.h"
#include "processes/script/values.h"
#include "processes/script/waits.h"

namespace reprise::script {

namespace {

// An effect in the making.
struct Asked {
  explicit Asked(JSContext* cx) : options(cx), content(cx, JS_NewPlainObject(cx)) {}
  CommandText call;
  CallOptions options;
  std::optional<std::string> title;
  const char* member = "";   // of the definition, that holds `content` and the options
  JS::RootedObject content;  // null when memory ran out
  bool detached = false;
};

bool define(JSContext* cx, JS::HandleObject object, const char* name, JS::HandleValue value) {
  return JS_DefineProperty(cx, object, name, value, JSPROP_ENUMERATE);
}

bool set_text(JSContext* cx, JS::MutableHandleValue value, std::string_view text) {
  JSString* string = new_string(cx, text);
  if (string) value.setString(string);
  return string;
}

// Options that a kind of effect has no use for.
bool refuse(JSContext* cx, const Asked& asked, std::initializer_list<const char*> names,
            const std::string& because) {
  if (!asked.options.rest) return true;
  for (const char* name : names) {
    if (JS::RootedValue value(cx, own_data(cx, asked.options.rest, name));
        value.isNullOrUndefined())
      continue;
    return throw_type_error(cx, "options." + std::string(name) + ": " + because);
  }
  return true;
}

// The rest of the call: definition, options, key, label, promise.
bool send(JSContext* cx, Script& script, Asked& asked, const std::string& label,
          const JS::CallArgs& args) {
  CommandText& call = asked.call;
  CallOptions& options = asked.options;
  if (!read_task_options(cx, options.rest, "options", OptionsOf::kCall, call.options)) return false;
  if (asked.detached) add_member(call.options, "\"detached\":true");
  if (!options.rest) options.rest = JS_NewObjectWithGivenProto(cx, nullptr, nullptr);
  if (!options.rest) return false;
  JS::RootedValueArray<5> about(cx);
  if (!set_text(cx, about[0], call.effect_kind) || !set_text(cx, about[2], asked.member))
    return false;
  if (asked.title && !set_text(cx, about[1], *asked.title)) return false;
  about[3].setObject(*asked.content);
  about[4].setObject(*options.rest);
  JS::RootedValue definition(cx);
  if (!script.call_prelude(cx, Prelude::kDefinitionOf, about, &definition) ||
      !append_json(cx, definition, "the " + call.effect_kind, KeyOrder::kAsWritten,
                   call.definition)) {
    return false;
  }
  call.key = options.key;
  call.label = options.label.value_or(label);
  std::optional<size_t> command;
  return ask(cx, script, std::move(call), args, command);
}

// ---- Breakpoints

bool read_approvers(JSContext* cx, JS::HandleValue given, int64_t& count) {
  bool is_array = false;
  uint32_t length = 0;
  if (!JS::IsArrayObject(cx, given, &is_array)) return false;
  if (is_array) {
    JS::RootedObject list(cx, &given.toObject());
    if (!JS::GetArrayLength(cx, list, &length)) return false;
    std::set<std::string> names;
    for (uint32_t i = 0; i < length; ++i) {
      JS::RootedValue name(cx, own_data(cx, list, JS::PropertyKey::Int(static_cast<int32_t>(i))));
      if (!name.isString() || JS_GetStringLength(name.toString()) == 0) {
        return throw_type_error(cx, "options.approvers[" + std::to_string(i) +
                                        "] must be the name of a person, not " + shown(cx, name));
      }
      names.insert(to_utf8(cx, name.toString()));
    }
    count = static_cast<int64_t>(names.size());
  }
  return length > 0 || throw_type_error(cx, "options.approvers must be an array of names, not " +
                                                (is_array ? "an empty one" : shown(cx, given)));
}

bool read_expires(JSContext* cx, Asked& asked, JS::HandleValue given) {
  double ms = 0;
  if (!read_time(cx, given, ms)) return false;
  if (!(std::abs(ms) <= kLastTimeMs)) {
    return throw_type_error(
        cx, "options.expires must be an ISO time, milliseconds since 1970 or a Date, not " +
                shown(cx, given));
  }
  auto due = static_cast<int64_t>(std::ceil(ms));
  asked.call.due_ms = std::max<int64_t>(due, 1);  // 0 stands for never
  JS::RootedValue text(cx);
  return set_text(cx, &text, iso_time(due)) && define(cx, asked.options.rest, "expires", text);
}

bool read_approval(JSContext* cx, Asked& asked) {
  constexpr int64_t kMostPeople = 1'000'000;
  if (!asked.options.rest) return true;
  int64_t people = kMostPeople, quorum = 1;
  JS::RootedValue value(cx, own_data(cx, asked.options.rest, "approvers"));
  if (!value.isNullOrUndefined() && !read_approvers(cx, value, people)) return false;
  value = own_data(cx, asked.options.rest, "quorum");
  if (!value.isNullOrUndefined() && !read_whole(cx, value, "options.quorum", 1, people, quorum))
    return false;
  value = own_data(cx, asked.options.rest, "expires");
  return value.isNullOrUndefined() || read_expires(cx, asked, value);
}

// ---- Child runs

bool read_labels(JSContext* cx, JS::HandleValue given) {
  bool is_array = false;
  if (!JS::IsArrayObject(cx, given, &is_array)) return false;
  if (is_array || !given.isObject()) {
    return throw_type_error(cx, "options.labels must be an object of strings, not " +
                                    (is_array ? "an array" : shown(cx, given)));
  }
  JS::RootedObject labels(cx, &given.toObject());
  JS::RootedIdVector ids(cx);
  if (!js::GetPropertyKeys(cx, labels, JSITER_OWNONLY, &ids)) return false;
  for (size_t i = 0; i < ids.length(); ++i) {
    JS::RootedValue label(cx, own_data(cx, labels, ids[i]));
    if (label.isString()) continue;
    JS::RootedValue name(cx, js::IdToValue(ids[i]));
    return throw_type_error(
        cx, "options.labels: " + shown(cx, name) + " must be a string, not " + shown(cx, label));
  }
  return true;
}

// Takes `detached` and `labels` off the options: they are not the executor's business.
bool read_run_options(JSContext* cx, Asked& asked) {
  CallOptions& options = asked.options;
  if (!options.rest) return true;
  if (!refuse(cx, asked, {"retry", "onLost"},
              "a child run is not performed by anybody: its own tasks are retried") ||
      !only_members(cx, options.rest, "options",
                    {"key", "label", "detached", "labels", "timeoutMs", "outputSchema"})) {
    return false;
  }
  JS::RootedValue value(cx, own_data(cx, options.rest, "detached"));
  if (!value.isNullOrUndefined() && !value.isBoolean())
    return throw_type_error(cx, "options.detached must be true or false, not " + shown(cx, value));
  asked.detached = value.isTrue();
  value = own_data(cx, options.rest, "labels");
  if (!value.isNullOrUndefined() &&
      !(read_labels(cx, value) && define(cx, asked.content, "labels", value)))
    return false;
  return JS_DeleteProperty(cx, options.rest, "detached") &&
         JS_DeleteProperty(cx, options.rest, "labels");
}

// ---- Memories

// The arguments of a recall, members sorted.
bool append_recall(JSContext* cx, const Asked& asked, const std::string& query, std::string& args) {
  constexpr int64_t kMostRecalled = 100;
  JS::RootedValue bulletin(cx), limit(cx), scopes(cx);
  if (asked.options.rest) {
    if (!only_members(cx, asked.options.rest, "options", {"bulletin", "limit", "scopes"})) {
      return false;
    }
    bulletin = own_data(cx, asked.options.rest, "bulletin");
    limit = own_data(cx, asked.options.rest, "limit");
    scopes = own_data(cx, asked.options.rest, "scopes");
  }
  if (!bulletin.isNullOrUndefined() && !bulletin.isBoolean()) {
    return throw_type_error(cx,
                            "options.bulletin must be true or false, not " + shown(cx, bulletin));
  }
  if (bulletin.isTrue()) add_member(args, "\"bulletin\":true");
  if (!limit.isNullOrUndefined()) {
    int64_t most = 0;
    if (!read_whole(cx, limit, "options.limit", 1, kMostRecalled, most)) return false;
    add_member(args, "\"limit\":" + std::to_string(most));
  }
  std::string member = "\"query\":";
  append_json_string(member, query);
  add_member(args, member);
  if (scopes.isNullOrUndefined()) return true;
  bool is_array = false;
  if (!JS::IsArrayObject(cx, scopes, &is_array)) return false;
  if (!is_array) {
    return throw_type_error(
        cx, "options.scopes must be an array of { type, id }, not " + shown(cx, scopes));
  }
  member = "\"scopes\":";
  if (!append_json(cx, scopes, "options.scopes", KeyOrder::kSorted, member)) return false;
  add_member(args, member);
  return true;
}

}  // namespace

bool ask(JSContext* cx, Script& script, CommandText&& call, const JS::CallArgs& args,
         std::optional<size_t>& command) {
  JS::RootedObject promise(cx);
  if (!script.effects().find_same(cx, call, &promise)) return false;
  if (!promise) {
    promise = JS::NewPromiseObject(cx, nullptr);
    if (!promise) return false;
    command = script.effects().request(std::move(call), promise);
    if (*command % 4096 == 4095) script.engine().limits().check_memory();
  }
  args.rval().setObject(*promise);
  return true;
}

bool read_name(JSContext* cx, JS::HandleValue given, const char* what, std::string& out) {
  if (given.isString() && append_utf8(cx, given.toString(), out) && !out.empty()) return true;
  return throw_type_error(cx, std::string(what) + ", not " + describe(given));
}

bool ctx_breakpoint(JSContext* cx, Script& script, const JS::CallArgs& args) {
  Asked asked(cx);
  if (!asked.content) return false;
  JS::RootedValue payload(cx, args.get(0));
  JS::RootedObject about(cx, payload.isNullOrUndefined() ? JS_NewPlainObject(cx) : nullptr);
  if (about) payload.setObject(*about);
  if (!read_options(cx, args.get(1), asked.options) ||
      !refuse(cx, asked, {"timeoutMs"},
              "a breakpoint has no timeout: give it a time at which it expires, { expires }") ||
      !refuse(cx, asked, {"retry", "onLost"}, "a breakpoint waits for people, not for a worker") ||
      !read_approval(cx, asked) ||
      !append_json(cx, payload, "payload", KeyOrder::kSorted, asked.call.args) ||
      !define(cx, asked.content, "payload", payload)) {
    return false;
  }
  std::string label = "breakpoint";
  if (payload.isObject()) {
    about = &payload.toObject();
    JS::RootedValue text(cx, own_data(cx, about, script.engine().names().label));
    if (text.isString()) label = to_utf8(cx, text.toString());
    text = own_data(cx, about, script.engine().names().title);
    if (text.isString()) asked.title = to_utf8(cx, text.toString());
  }
  asked.call.task = "__sdk.breakpoint";
  asked.call.effect_kind = asked.member = "breakpoint";
  return send(cx, script, asked, label, args);
}

bool ctx_hook(JSContext* cx, Script& script, const JS::CallArgs& args) {
  Asked asked(cx);
  std::string type, payload;
  JS::RootedValue given(cx, args.get(1));
  if (given.isUndefined()) given.setNull();
  if (!asked.content || !read_name(cx, args.get(0), "ctx.hook needs the type of a hook", type) ||
      !read_options(cx, args.get(2), asked.options) ||
      !append_json(cx, given, "payload", KeyOrder::kSorted, payload) ||
      !define(cx, asked.content, "type", args.get(0)) ||
      !define(cx, asked.content, "payload", given)) {
    return false;
  }
  asked.call.args = "{\"payload\":" + payload + ",\"type\":";
  append_json_string(asked.call.args, type);
  asked.call.args += '}';
  asked.call.task = "__sdk.hook";
  asked.call.effect_kind = asked.member = "hook";
  return send(cx, script, asked, "hook:" + type, args);
}

bool ctx_orchestrator_task(JSContext* cx, Script& script, const JS::CallArgs& args) {
  Asked asked(cx);
  JS::RootedValue given(cx, args.get(0));
  if (given.isUndefined()) given.setNull();
  if (!asked.content || !read_options(cx, args.get(1), asked.options) ||
      !append_json(cx, given, "payload", KeyOrder::kSorted, asked.call.args) ||
      !define(cx, asked.content, "payload", given)) {
    return false;
  }
  asked.call.task = "__sdk.orchestratorTask";
  asked.call.effect_kind = "orchestrator_task";
  asked.member = "orchestratorTask";
  return send(cx, script, asked, "orchestrator-task", args);
}

bool ctx_run(JSContext* cx, Script& script, const JS::CallArgs& args) {
  Asked asked(cx);
  std::string entry, inputs;
  JS::RootedValue given(cx, args.get(1));
  JS::RootedObject none(cx, given.isNullOrUndefined() ? JS_NewPlainObject(cx) : nullptr);
  if (none) given.setObject(*none);
  if (!asked.content ||
      !read_name(cx, args.get(0),
                 "ctx.run needs the entry of a process, like './child.js' or 'builtin:NAME'",
                 entry) ||
      !append_json(cx, given, "inputs", KeyOrder::kSorted, inputs) ||
      !define(cx, asked.content, "entry", args.get(0)) ||
      !define(cx, asked.content, "inputs", given) ||
      !read_options(cx, args.get(2), asked.options) || !read_run_options(cx, asked)) {
    return false;
  }
  asked.call.args = "{\"entry\":";
  append_json_string(asked.call.args, entry);
  asked.call.args += ",\"inputs\":" + inputs + "}";
  asked.call.task = "__sdk.run";
  asked.call.effect_kind = asked.member = "run";
  return send(cx, script, asked, "run:" + entry, args);
}

bool ctx_memory_recall(JSContext* cx, Script& script, const JS::CallArgs& args) {
  Asked asked(cx);
  std::string query;
  if (!asked.content ||
      !read_name(cx, args.get(0), "ctx.memory.recall needs the words to look for", query) ||
      !read_options(cx, args.get(1), asked.options) ||
      !append_recall(cx, asked, query, asked.call.args) ||
      !define(cx, asked.content, "query", args.get(0))) {
    return false;
  }
  asked.call.task = "__sdk.memory.recall";
  asked.call.effect_kind = asked.member = "recall";
  return send(cx, script, asked, "memory.recall", args);
}

}  // namespace reprise::script
