#include "engine/assignment.h"

#include "engine/json_writer.h"
#include "journal/ids.h"

namespace reprise {

namespace {

constexpr std::string_view kPlannedEnd = "\"end\"";

PlannedCommand parse_planned(std::string_view json) {
  if (json == kPlannedEnd) return {PlannedCommand::Kind::kEnd, 0};
  if (json.front() == '"') {
    return {PlannedCommand::Kind::kRequest, parse_effect_id(unquote(json)).value_or(0)};
  }
  return {PlannedCommand::Kind::kEvent, std::stoull(std::string(json))};
}

std::string planned_json(const PlannedCommand& command) {
  switch (command.kind) {
    case PlannedCommand::Kind::kRequest:
      return quote(format_effect_id(command.id));
    case PlannedCommand::Kind::kEvent:
      return std::to_string(command.id);
    case PlannedCommand::Kind::kEnd:
      break;
  }
  return std::string(kPlannedEnd);
}

}  // namespace

Assignment parse_assignment(uint64_t seq, const Members& data) {
  Assignment assignment;
  assignment.seq = seq;
  assignment.first_number = data.number("firstNumber");
  for (const auto item : array_elements(data.raw("plan")))
    assignment.plan.push_back(parse_planned(item));
  for (const auto item : array_elements(data.raw("reserve")))
    assignment.reserve.push_back(parse_effect_id(unquote(item)).value_or(0));
  for (const auto item : array_elements(data.raw("reserveEvents")))
    assignment.reserve_events.push_back(std::stoull(std::string(item)));
  return assignment;
}

std::string assignment_members(const Assignment& assignment) {
  const auto id = [](uint64_t effect) { return quote(format_effect_id(effect)); };
  const auto number = [](uint64_t seq) { return std::to_string(seq); };
  auto text = JsonWriter()
                  .raw("plan", array_json(assignment.plan, planned_json))
                  .number("firstNumber", assignment.first_number)
                  .raw("reserve", array_json(assignment.reserve, id))
                  .raw("reserveEvents", array_json(assignment.reserve_events, number))
                  .done();
  return text.substr(1, text.size() - 2);
}

}  // namespace reprise
