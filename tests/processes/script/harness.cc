#include "tests/processes/script/harness.h"

#include <dlfcn.h>

#include <cstdlib>
#include <exception>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace reprise::test {

namespace {

reprise_bytes bytes(const std::string& text) { return {text.data(), text.size()}; }
std::string copy(reprise_bytes text) {
  return text.size ? std::string(text.data, text.size) : std::string();
}

std::string status_text(int32_t status, reprise_bytes error) {
  switch (status) {
    case REPRISE_SCRIPT_OK:
      return "OK";
    case REPRISE_SCRIPT_ERROR:
      return "ERROR " + copy(error);
    case REPRISE_SCRIPT_BUDGET:
      return "BUDGET " + copy(error);
    default:
      return "BUG " + copy(error);
  }
}

}  // namespace

const reprise_script_table& module_table() {
  static const reprise_script_table* const kTable = [] {
    void* module = dlopen(REPRISE_SCRIPT_MODULE, RTLD_NOW | RTLD_LOCAL);
    if (!module) throw std::runtime_error(dlerror());
    auto get = reinterpret_cast<reprise_module_fn>(dlsym(module, "reprise_script_module"));
    return reinterpret_cast<const reprise_script_table*>(get());
  }();
  return *kTable;
}

void on_engine(const std::function<void()>& work) {
  struct Job {
    const std::function<void()>& work;
    std::exception_ptr thrown;
  } job{work, nullptr};
  auto run = [](void* argument) {
    auto& mine = *static_cast<Job*>(argument);
    try {
      mine.work();
    } catch (...) {
      mine.thrown = std::current_exception();
    }
  };
  static const std::string kCrashText = "the engine crashed\n";
  static const std::string kCrashDocument = "{\"crashed\":true}\n";
  static const char* const kCacheFolder = std::getenv("REPRISE_TEST_CACHE");
  static const std::string kCache = kCacheFolder ? kCacheFolder : "";
  reprise_bytes error = {};
  int32_t status = module_table().run_on_engine_thread(bytes(kCache), bytes(kCrashText),
                                                       bytes(kCrashDocument), run, &job, &error);
  if (status != REPRISE_SCRIPT_OK) throw std::runtime_error(copy(error));
  if (job.thrown) std::rethrow_exception(job.thrown);
}

std::string process_of(const std::string& body) {
  return "import { defineTask } from 'reprise';\n"
         "const work = defineTask('work', (args) => ({ kind: 'shell', shell: { command: 'true' } "
         "}));\n"
         "export async function process(inputs, ctx) {\n" +
         body + "\n}\n";
}

Lines value_of(const std::string& expression) {
  Script script(process_of("return " + expression + ";"));
  return script.start();
}

std::string line_of(const CommandCopy& command) {
  switch (command.kind) {
    case REPRISE_REQUEST:
      return "request t" + std::to_string(command.effect) + " " + command.task + " " +
             command.effect_kind + " " + command.args;
    case REPRISE_EMIT:
      return "emit " + command.name + " " + command.json;
    case REPRISE_COMPLETE:
      return "complete " + command.json;
    case REPRISE_FAIL: {
      auto error = nlohmann::json::parse(command.json);
      return "fail " + error.at("name").get<std::string>() + ": " +
             error.at("message").get<std::string>();
    }
    case REPRISE_HALT:
      if (command.cancelled) return "cancelled " + command.name + command.json;
      return "halt " + command.name + " " + command.json;
    case REPRISE_WITHDRAW:
      return "withdraw t" + std::to_string(command.effect);
    default:
      return "log " + command.name + ": " + nlohmann::json::parse(command.json).get<std::string>();
  }
}

Script::~Script() {
  if (script_) on_engine([this] { module_table().destroy(script_); });
}

Script& Script::file(const std::string& path, const std::string& source) {
  files_[path] = source;
  return *this;
}

Script& Script::entry(const std::string& path) {
  entry_ = path;
  return *this;
}

Script& Script::seed(uint64_t high, uint64_t low) {
  seed_[0] = high;
  seed_[1] = low;
  return *this;
}

std::string Script::load() {
  std::vector<reprise_source> sources;
  for (const auto& [path, source] : files_) {
    sources.push_back({bytes(path), bytes(source),
                       path.ends_with(".cjs") ? REPRISE_MODULE_CJS : REPRISE_MODULE_ESM});
  }
  const std::string run_id = "run-1", run_dir = "/home/runs/run-1", process_id = "demo";
  reprise_script_options options = {};
  options.random_seed[0] = seed_[0];
  options.random_seed[1] = seed_[1];
  options.run_id = bytes(run_id);
  options.run_dir = bytes(run_dir);
  options.process_id = bytes(process_id);
  options.export_name = bytes(export_name_);
  options.sources = sources.data();
  options.source_count = sources.size();
  options.entry = bytes(entry_);
  options.heap_bytes = heap_bytes_;
  options.rules = rules_;
  on_engine([&] {
    reprise_bytes error = {};
    int32_t status = module_table().load(&options, now_ms_, &script_, &error);
    status_ = status_text(status, error);
  });
  return status_;
}

Lines Script::apply(reprise_activation activation) {
  if (!script_ && load() != "OK") return {status_};
  now_ms_ += 1000;
  activation.at_ms = now_ms_;
  activation.next_effect = next_effect_;
  commands_.clear();
  on_engine([&] {
    reprise_commands out = {};
    reprise_bytes error = {};
    int32_t status = module_table().apply(script_, &activation, &out, &error);
    status_ = status_text(status, error);
    for (size_t i = 0; i < out.count; ++i) {
      const reprise_command& c = out.commands[i];
      commands_.push_back({c.kind, c.effect, c.due_ms, copy(c.task), copy(c.effect_kind),
                           copy(c.label), copy(c.key), copy(c.args), copy(c.definition),
                           copy(c.name), copy(c.json), copy(c.options), c.cancelled != 0});
    }
  });
  if (status_ != "OK") return {status_};
  Lines lines;
  for (const CommandCopy& command : commands_) lines.push_back(line_of(command));
  return lines;
}

Lines Script::start(const std::string& inputs) {
  reprise_activation activation = {};
  activation.kind = REPRISE_START;
  activation.value = bytes(inputs);
  return apply(activation);
}

Lines Script::resolve(uint64_t effect, const std::string& value) {
  reprise_activation activation = {};
  activation.kind = REPRISE_RESOLVED;
  activation.ok = 1;
  activation.effect = effect;
  activation.value = bytes(value);
  return apply(activation);
}

Lines Script::reject(uint64_t effect, const std::string& error) {
  reprise_activation activation = {};
  activation.kind = REPRISE_RESOLVED;
  activation.effect = effect;
  activation.error = bytes(error);
  return apply(activation);
}

Lines Script::cancel(uint64_t effect, const std::string& error) {
  reprise_activation activation = {};
  activation.kind = REPRISE_CANCELLED;
  activation.effect = effect;
  activation.error = bytes(error);
  return apply(activation);
}

Lines Script::cancel_run(const std::string& details) {
  reprise_activation activation = {};
  activation.kind = REPRISE_CANCEL_RUN;
  activation.value = bytes(details);
  return apply(activation);
}

Lines Script::signal(const std::string& name, const std::string& value) {
  reprise_activation activation = {};
  activation.kind = REPRISE_SIGNAL;
  activation.name = bytes(name);
  activation.value = bytes(value);
  return apply(activation);
}

std::string Script::check() {
  std::string out;
  on_engine([&] {
    reprise_bytes error = {};
    int32_t status = module_table().check(script_, &error);
    out = status_text(status, error);
  });
  return out;
}

uint64_t Script::highest_effect() {
  uint64_t out = 0;
  on_engine([&] { out = module_table().highest_effect(script_); });
  return out;
}

}  // namespace reprise::test
