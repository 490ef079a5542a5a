#include "engine/object_shape.h"

#include <nlohmann/json.hpp>

namespace reprise {

namespace {

using Json = nlohmann::json;

void read_value(std::string_view source, const SourceWalk& walk, size_t at,
                ObjectShape::Member& member) {
  const auto end = walk.end_of_item(at);
  if (walk.is_text(at) && end == at + 1) {
    member.value = ObjectShape::Value::kText;
    member.text = walk.at(at).text;
  } else if (walk.is(at, "{") && walk.closing(at) + 1 == end) {
    member.value = ObjectShape::Value::kObject;
    member.inner = shape_of_source(source, walk, at);
  }
}

ObjectShape shape_of(const Json& json) {
  ObjectShape shape;
  if (!json.is_object()) return shape;
  for (const auto& [name, value] : json.items()) {
    ObjectShape::Member member{
        .name = name, .place = {}, .value = ObjectShape::Value::kOther, .text = {}, .inner = {}};
    if (value.is_array()) member.value = ObjectShape::Value::kList;
    if (value.is_string()) {
      member.value = ObjectShape::Value::kText;
      member.text = value.get<std::string>();
    } else if (value.is_object()) {
      member.value = ObjectShape::Value::kObject;
      member.inner = shape_of(value);
    }
    shape.members.push_back(std::move(member));
  }
  return shape;
}

}  // namespace

const ObjectShape::Member* ObjectShape::find(std::string_view name) const {
  for (const auto& member : members) {
    if (member.name == name) return &member;
  }
  return nullptr;
}

ObjectShape shape_of_source(std::string_view source, const SourceWalk& walk, size_t open) {
  ObjectShape shape;
  shape.place = place_at(source, walk.at(open).offset);
  const auto close = walk.closing(open);
  for (size_t i = open + 1; i < close; i = walk.end_of_item(i) + 1) {
    size_t name = i;
    // `async run() {}`, `get cwd() {}`: the name is the next word.
    if (walk.is_word(name) && walk.is_word(name + 1)) ++name;
    if (!walk.is_word(name) && !walk.is_text(name)) {
      shape.open = true;
      continue;
    }
    ObjectShape::Member member;
    member.name = walk.at(name).text;
    member.place = place_at(source, walk.at(name).offset);
    if (walk.is(name + 1, ":")) read_value(source, walk, name + 2, member);
    shape.members.push_back(std::move(member));
  }
  return shape;
}

ObjectShape shape_of_json(std::string_view json) {
  return shape_of(Json::parse(json, nullptr, false));
}

}  // namespace reprise
