#include "processes/script/builders.h"

#include <js/Array.h>
#include <js/CallAndConstruct.h>
#include <js/Exception.h>
#include <js/Promise.h>
#include <js/PropertyAndElement.h>
#include <js/Proxy.h>
#include <js/ValueArray.h>
#include <jsapi.h>

#include "processes/script/call_options.h"
#include "processes/script/errors.h"
#include "processes/script/script.h"
#include "processes/script/values.h"

namespace reprise::script {

namespace {

std::string text_of(JSContext* cx, JS::HandleObject object, JS::PropertyKey name) {
  JS::RootedValue value(cx, own_data(cx, object, name));
  return value.isString() ? to_utf8(cx, value.toString()) : std::string();
}

// The first of `labels`, else the title.
std::string built_label(JSContext* cx, JS::HandleObject built) {
  const Names& names = Engine::of(cx).names();
  JS::RootedValue labels(cx, own_data(cx, built, names.labels));
  if (labels.isObject()) {
    JS::RootedObject list(cx, &labels.toObject());
    if (std::string first = text_of(cx, list, JS::PropertyKey::Int(0)); !first.empty())
      return first;
  }
  return text_of(cx, built, names.title);
}

}  // namespace

RandomStream* Builders::stream() {
  if (!running_) return nullptr;
  if (!running_->numbers) running_->numbers.emplace(seed_, running_->name);
  return &*running_->numbers;
}

std::string Builders::stream_name(const std::string& task, const std::string& key) {
  std::string name = "builder ";
  name.append(task).append(1, '\0').append(key);
  uint64_t count = calls_[name]++;
  return name.append(1, '\0').append(std::to_string(count));
}

bool Builders::build(JSContext* cx, const Call& call) {
  const CommandText& command = script_.effects().commands()[call.command];
  uint64_t effect = command.effect;
  Stream stream{stream_name(command.task, command.key), std::nullopt};
  JS::RootedValue built(cx);
  running_ = &stream;
  bool called = call_builder(cx, call, effect, &built);
  running_ = nullptr;
  if (!called) return fail(cx, call.command);

  Jobs& jobs = script_.engine().jobs();
  JS::RootedObject promise(cx, built.isObject() ? &built.toObject() : nullptr);
  if (promise && JS::IsPromiseObject(promise)) {
    waiting_.push_back({effect, call.command, JS::Heap<JSObject*>(promise),
                        JS::Heap<JSObject*>(call.options), std::move(stream)});
    return true;
  }
  if (jobs.has_jobs(effect)) {
    waiting_.push_back(
        {effect, call.command, JS::Heap<JSObject*>(), JS::Heap<JSObject*>(), std::move(stream)});
  }
  return finish(cx, call.command, built, call.options);
}

bool Builders::call_builder(JSContext* cx, const Call& call, uint64_t effect,
                            JS::MutableHandleValue built) {
  Jobs::Enter lane(script_.engine().jobs(), effect);
  const CommandText& command = script_.effects().commands()[call.command];
  JS::RootedValueArray<4> about(cx);
  JSString* text = new_string(cx, "t" + std::to_string(effect));
  if (!text) return false;
  about[0].setString(text);
  if (!(text = new_string(cx, script_.invocation_key(command)))) return false;
  about[1].setString(text);
  if (!(text = new_string(cx, command.task))) return false;
  about[2].setString(text);
  if (call.label) {
    if (!(text = new_string(cx, *call.label))) return false;
    about[3].setString(text);
  }
  JS::RootedValue context(cx);
  if (!script_.call_prelude(cx, Prelude::kTaskContext, about, &context)) return false;
  JS::RootedValueArray<2> arguments(cx);
  arguments[0].set(call.args);
  arguments[1].set(context);
  JS::RootedValue task(cx, JS::ObjectValue(*call.task));
  return JS::Call(cx, task, call.build, arguments, built);
}

bool Builders::finish(JSContext* cx, size_t command, JS::HandleValue built,
                      JS::HandleObject options) {
  const std::string& task = script_.effects().commands()[command].task;
  if (!built.isObject() || js::IsProxy(&built.toObject())) {
    throw_type_error(cx, "the builder of task " + task + " returned " + describe(built) +
                             ": it must return an object with a string `kind`");
    return fail(cx, command);
  }
  JS::RootedObject definition(cx, &built.toObject());
  if (options) {
    JS::RootedValueArray<2> arguments(cx);
    arguments[0].setObject(*definition);
    arguments[1].setObject(*options);
    JS::RootedValue merged(cx);
    if (!script_.call_prelude(cx, Prelude::kWithOptions, arguments, &merged))
      return fail(cx, command);
    definition = &merged.toObject();
  }
  return describe_command(cx, command, definition) || fail(cx, command);
}

bool Builders::describe_command(JSContext* cx, size_t command, JS::HandleObject built) {
  std::string json;
  JS::RootedValue value(cx, JS::ObjectValue(*built));
  CommandText& target = script_.effects().commands()[command];
  if (!append_json(cx, value, "the definition of task " + target.task, KeyOrder::kAsWritten, json))
    return false;
  const std::string what = "the definition of task " + target.task;
  if (!read_task_options(cx, built, what, OptionsOf::kDefinition, target.options)) return false;
  std::string kind = text_of(cx, built, Engine::of(cx).names().kind);
  if (kind.empty()) {
    return throw_type_error(cx, "the definition of task " + target.task +
                                    " has no `kind`: it must be a string, as 'shell' or 'agent'");
  }
  if (target.label.empty()) target.label = built_label(cx, built);
  if (target.label.empty()) target.label = target.task;
  target.effect_kind = std::move(kind);
  target.definition = std::move(json);
  return true;
}

// Rejects the call's promise with the pending exception. Without one the script was terminated.
bool Builders::fail(JSContext* cx, size_t command) {
  if (!JS_IsExceptionPending(cx)) return false;
  JS::RootedValue reason(cx, take_exception(cx));
  JS::RootedObject promise(cx, script_.effects().drop(command));
  Jobs::Enter lane(script_.engine().jobs(), kProcessLane);
  return !promise || JS::RejectPromise(cx, promise, reason);
}

bool Builders::settle(JSContext* cx, Waiting& builder) {
  JS::RootedObject promise(cx, builder.promise);
  JS::RootedObject options(cx, builder.options);
  JS::RootedValue result(cx, JS::GetPromiseResult(promise));
  size_t command = builder.command;
  bool fulfilled = JS::GetPromiseState(promise) == JS::PromiseState::Fulfilled;
  builder.promise = nullptr;
  if (fulfilled) return finish(cx, command, result, options);
  script_.engine().jobs().forget(promise);
  JS_SetPendingException(cx, result);
  return fail(cx, command);
}

bool Builders::take_turns(JSContext* cx) {
  Jobs& jobs = script_.engine().jobs();
  for (size_t i = 0; i < waiting_.size(); ++i) {
    running_ = &waiting_[i].stream;
    bool ran = jobs.run(waiting_[i].lane);
    running_ = nullptr;
    if (!ran) return false;
    JS::RootedObject promise(cx, waiting_[i].promise);
    if (promise && JS::GetPromiseState(promise) != JS::PromiseState::Pending &&
        !settle(cx, waiting_[i]))
      return false;
  }
  std::erase_if(waiting_, [&jobs](const Waiting& builder) {
    return !builder.promise && !jobs.has_jobs(builder.lane);
  });
  return true;
}

bool Builders::give_up(JSContext* cx) {
  std::vector<size_t> commands;
  for (const Waiting& builder : waiting_) {
    if (builder.promise) commands.push_back(builder.command);
  }
  waiting_.clear();
  for (size_t command : commands) {
    throw_type_error(cx, "the builder of task " + script_.effects().commands()[command].task +
                             " never finishes: it awaits something that only a task could deliver");
    if (!fail(cx, command)) return false;
  }
  return true;
}

void Builders::trace(JSTracer* tracer) {
  for (Waiting& builder : waiting_) {
    JS::TraceEdge(tracer, &builder.promise, "builder");
    JS::TraceEdge(tracer, &builder.options, "builder options");
  }
}

}  // namespace reprise::script
