#include "tests/power/power_bench.h"

#include <algorithm>
#include <optional>

#include "engine/mend.h"
#include "journal/hash.h"
#include "journal/memory_files.h"

namespace reprise::test {

namespace {

constexpr size_t kMostViolations = 5;

const std::vector<BuiltIn> kSiteProcesses = {family_process(), checklist_process(), asker()};

SourceReader sources() {
  static const std::string kSource = R"(import { defineTask } from 'reprise';
const step = defineTask('step', (args) => ({ kind: 'agent', title: args.name }));
export async function process(inputs, ctx) {
  const first = await ctx.task(step, { name: 'first' });
  ctx.emit('told', first);
  return [first, await Promise.all([ctx.task(step, { name: 'a' }), ctx.task(step, { name: 'b' })])];
})";
  return [](const std::string& path) -> std::optional<std::string> {
    return path == "/source/main.js" ? std::optional(kSource) : std::nullopt;
  };
}

/// Records of a run, as text; and how many of them end a commit.
struct Lines {
  std::vector<std::string> records;
  std::set<size_t> ends{0};
};
using Homes = std::map<std::string, Lines>;  ///< by run

/// A run that is created anew has another seed and another identity, wherever that stands.
std::string without_chance(std::string data) {
  constexpr size_t kDigits = 32;
  for (const std::string_view before : {R"("seed":")", R"("identity":")", "/"}) {
    for (size_t at = 0; (at = data.find(before, at)) != std::string::npos; ++at) {
      const auto begin = at + before.size();
      const auto end = data.find_first_not_of("0123456789abcdef", begin);
      if (end == begin + kDigits) data.erase(begin, kDigits);
    }
  }
  return data;
}

/// Of a record, with the log that it names.
std::string data_of(const RecordView& record, Dir& run) {
  const auto data = without_chance(std::string(record.data));
  JsonReader reader;
  const auto log = reader.members_of_copy(record.data).text("stdoutRef");
  return log.empty() ? data : data + " " + read_file(run, log).value_or("no log");
}

Lines lines_of(Dir& run) {
  Lines lines;
  for_each_event(run, [&](const RecordView& record) {
    lines.records.push_back(std::to_string(record.seq) + ' ' +
                            std::string(record_type_name(record.type)) + ' ' +
                            std::to_string(record.cause) + ' ' + std::to_string(record.applied) +
                            ' ' + std::to_string(record.at_ms) + ' ' + data_of(record, run));
    if (!record.more) lines.ends.insert(lines.records.size());
  });
  return lines;
}

std::vector<std::string> run_names(Site& site) {
  std::vector<std::string> names;
  for (const auto& name : site.world.runs->list("")) {
    if (!name.starts_with(".")) names.push_back(name);
  }
  return names;
}

Homes homes_of(Site& site) {
  Homes homes;
  for (const auto& name : run_names(site)) homes[name] = lines_of(site.run(name).dir());
  return homes;
}

/// What every recovered home must come to: no times, seeds and tokens in it.
std::string outcome_of(Site& site) {
  std::string text;
  for (const auto& name : run_names(site)) {
    auto run = site.run(name);
    text += name + ": " + run.status() + " " + run.end() + "\n";
    for (const auto& record : lines_of(run.dir()).records) {
      if (record.find(" SIGNAL_RECEIVED ") != std::string::npos) text += "  a signal\n";
    }
    for (const auto& decision : run.decisions()) text += "  " + decision + "\n";
  }
  return text;
}

struct Violation {
  std::string text;
};
void demand(bool holds, const std::string& what) {
  if (!holds) throw Violation{what};
}

class Bench {
 public:
  Bench(const Scene& scene, const Power& power) : x_scene(scene), x_power(power) {}

  Findings cut_everywhere() {
    play();
    for (size_t command = 0; command < x_scene.commands.size(); ++command) {
      for (size_t count = x_begins[command]; count <= x_begins[command + 1]; ++count) {
        cut(x_before, x_log.changes, count, command, count == x_begins[command + 1]);
      }
    }
    return std::move(x_findings);
  }

 private:
  /// The scene without a failure.
  void play() {
    MemoryFiles prepared;
    Site preparing(prepared.root());
    x_scene.prepare(preparing);
    x_before = disk_of(*preparing.world.runs);

    MemoryFiles files;
    put(x_before, *files.root());
    x_before = disk_of(*files.root());
    x_log.forgets = x_power.forgets;
    Site site(with_log(files, x_log));
    if (!x_scene.mends) x_told.push_back(homes_of(site));
    x_begins.push_back(0);
    for (const auto& command : x_scene.commands) {
      command(site);
      x_begins.push_back(x_log.changes.size());
      x_told.push_back(homes_of(site));
    }
    site.finish();
    x_outcome = outcome_of(site);
  }

  /// `done`: the last of the changes was the command's last, and it was acknowledged.
  void cut(const Disk& before, const std::vector<DiskChange>& changes, size_t count, size_t command,
           bool done) {
    ++x_findings.places;
    const auto look = [&](const Disk& disk) {
      if (x_findings.violations.size() >= kMostViolations) return;
      const auto key = std::pair(hash128_hex(text_of(disk, x_power.all)), command + (done ? 1 : 0));
      if (!x_seen.insert(key).second) return;
      ++x_findings.states;
      try {
        judge(disk, command, done);
      } catch (const Violation& violation) {
        complain(command, count, done, violation.text);
      } catch (const Error& error) {
        complain(command, count, done, std::string(error.code()) + ": " + error.message());
      }
    };
    const auto samples = x_again ? std::min(kSamplesAgain, x_power.samples) : x_power.samples;
    if (!for_each_state(before, changes, count, samples, count, look)) ++x_findings.sampled;
  }

  void complain(size_t command, size_t count, bool done, const std::string& text) {
    x_findings.violations.push_back(x_scene.name + ", command " + std::to_string(command + 1) +
                                    (done ? ", acknowledged" : ", in flight") + ", after change " +
                                    std::to_string(count) + ": " + text);
  }

  void judge(const Disk& disk, size_t command, bool done) {
    MemoryFiles files;
    files.reboot();
    put(disk, *files.root());
    Site site(files.root());
    // Names by chance are others than those before the failure.
    for (int i = 0; i < 9; ++i) site.world.random.next();
    if (!x_scene.mends) {
      check_records(site, command, done);
      check_repair(disk);
    } else if (done) {
      demand(same_records(homes_of(site), x_told[command]), "what was mended is not any more");
    }
    recover(site, done ? command + 1 : command);
    check_end(site);
    const bool twice = x_power.again != 0 && x_findings.states % x_power.again == 0;
    if (twice && !x_again && x_times_again++ < kMostAgain) {
      cut_again(disk, done ? command + 1 : command);
    }
  }

  void recover(Site& site, size_t command) {
    for (; command < x_scene.commands.size(); ++command) x_scene.commands[command](site);
  }

  void check_end(Site& site) {
    for (const auto& name : run_names(site)) {
      auto run = site.run(name);
      const auto verdict = verify_run(run.dir(), name);
      demand(verdict.problems.empty(),
             name + " is not whole after the repeated command" +
                 (verdict.problems.empty() ? "" : ": " + verdict.problems.front().reason));
    }
    site.finish();
    const auto outcome = outcome_of(site);
    demand(outcome == x_outcome, "another end:\n" + outcome + "instead of\n" + x_outcome);
  }

  static bool same_records(const Homes& a, const Homes& b) {
    if (a.size() != b.size()) return false;
    for (const auto& [name, lines] : a) {
      if (!b.contains(name) || b.at(name).records != lines.records) return false;
    }
    return true;
  }

  void check_records(Site& site, size_t command, bool done) {
    const auto homes = homes_of(site);
    const auto& told = x_told[done ? command + 1 : command];
    const auto& most = x_told[command + 1];
    for (const auto& [name, lines] : told) {
      demand(homes.contains(name), "the acknowledged run " + name + " is gone");
      demand(homes.at(name).records.size() >= lines.records.size(),
             name + ": acknowledged records are gone: " +
                 std::to_string(homes.at(name).records.size()) + " of " +
                 std::to_string(lines.records.size()));
    }
    for (const auto& [name, lines] : homes) {
      demand(most.contains(name), "a run that nobody made: " + name);
      const auto& whole = most.at(name);
      const auto count = lines.records.size();
      demand(count <= whole.records.size() && whole.ends.contains(count), name + ": half a commit");
      for (size_t i = 0; i < count; ++i) {
        demand(lines.records[i] == whole.records[i],
               name + ": another record: " + lines.records[i]);
      }
      auto run = site.run(name);
      const auto verdict = verify_run(run.dir(), name);
      demand(verdict.problems.empty(),
             name + " is not whole" +
                 (verdict.problems.empty() ? "" : ": " + verdict.problems.front().reason));
    }
  }

  static void check_repair(const Disk& disk) {
    MemoryFiles files;
    files.reboot();
    put(disk, *files.root());
    Site site(files.root());
    const auto before = homes_of(site);
    for (const auto& name : run_names(site)) {
      auto run = site.run(name);
      repair_run(run.dir(), site.world.context, false, false);
      const auto again = repair_run(run.dir(), site.world.context, false, false);
      demand(!again.needed, name + " needs to be repaired again");
    }
    demand(same_records(before, homes_of(site)), "repairing has changed the records");
  }

  /// The power fails once more while the commands are repeated.
  void cut_again(const Disk& disk, size_t command) {
    MemoryFiles files;
    files.reboot();
    put(disk, *files.root());
    const auto before = disk_of(*files.root());
    DiskLog log;
    log.forgets = x_power.forgets;
    Site site(with_log(files, log));
    for (int i = 0; i < 5; ++i) site.world.random.next();
    x_again = true;
    if (command < x_scene.commands.size()) x_scene.commands[command](site);
    for (size_t count = 1; count <= log.changes.size() && !x_scene.mends; ++count) {
      cut(before, log.changes, count, std::min(command, x_scene.commands.size() - 1), false);
    }
    x_again = false;
  }

  const Scene& x_scene;
  const Power& x_power;
  Disk x_before;
  DiskLog x_log;
  std::vector<size_t> x_begins;  ///< of each command in the log
  std::vector<Homes> x_told;     ///< before the first command, and after each
  std::string x_outcome;
  std::set<std::pair<std::string, size_t>> x_seen;
  Findings x_findings;
  bool x_again = false;
  uint64_t x_times_again = 0;
};

}  // namespace

Site::Site(std::unique_ptr<Dir> runs) : world(kSiteProcesses) { world.runs = std::move(runs); }

RunFolder Site::folder() { return {*world.runs, "/home/runs", sources()}; }

void Site::create(const std::string& id, const ProcessChoice& process, const std::string& inputs) {
  CreateRequest request;
  request.run_id = id;
  request.process = process;
  request.inputs = parse_value(inputs, "inputs");
  request.if_absent = true;
  create_run(world.runs.get(), "/home/runs", world.context, sources(), request);
}

Iteration Site::iterate(const std::string& id) {
  return iterate_among(folder(), id, run(id).dir(), world.context);
}

void Site::finish() {
  for (auto before = std::string(), now = outcome_of(*this); now != before;
       before = now, now = outcome_of(*this)) {
    for (const auto& name : run_names(*this)) {
      if (run(name).end() == "open") iterate(name);
      const auto open = run(name).state().open;
      for (const auto& [id, effect] : open) {
        if (effect.kind == "sleep" || effect.kind.starts_with("run")) continue;
        world.context.force = true;  // a scene's claimer will not post
        run(name).post(format_effect_id(id),
                       R"({"exitCode":0,"stdout":)" + quote(effect.label) + "}");
        world.context.force = false;
      }
    }
    world.clock.advance(1'000);
  }
}

Findings cut_power_in(const Scene& scene, const Power& power) {
  return Bench(scene, power).cut_everywhere();
}

}  // namespace reprise::test
