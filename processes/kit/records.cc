#include "processes/kit/records.h"

#include <charconv>

#include "json/scan.h"

namespace reprise::kit {

namespace {

std::string_view raw_member(std::string_view data, std::string_view wanted) {
  std::string_view found;
  json::members(data, [&](std::string_view name, std::string_view raw) {
    if (name == wanted) found = raw;
  });
  return found;
}

uint64_t raw_number(std::string_view data, std::string_view name, uint64_t otherwise) {
  const auto raw = raw_member(data, name);
  std::from_chars(raw.data(), raw.data() + raw.size(), otherwise);
  return otherwise;
}

}  // namespace

std::string_view record_text(std::string_view data, std::string_view name) {
  const auto raw = raw_member(data, name);
  return raw.size() < 2 ? std::string_view() : raw.substr(1, raw.size() - 2);
}

Owner owner_of(const CommandRecord& command) {
  auto owner = parse_owner(record_text(command.data, "key"));
  owner.trace = raw_number(command.data, "trace", command.cause);
  return owner;
}

std::optional<Result> take_result(Effects& effects, const Activation& activation) {
  const bool ended = activation.kind == Activation::Kind::kResolved ||
                     activation.kind == Activation::Kind::kCancelled;
  if (!ended) return std::nullopt;
  auto owner = effects.take(activation.effect);
  if (!owner) return std::nullopt;
  const auto value = activation.ok ? activation.value : activation.error;
  return Result{.effect = activation.effect,
                .owner = std::move(*owner),
                .ok = activation.ok,
                .cancelled = activation.kind == Activation::Kind::kCancelled,
                .value = value.empty() ? Json() : Json::parse(value)};
}

}  // namespace reprise::kit
