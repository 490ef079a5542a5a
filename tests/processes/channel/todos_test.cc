#include "processes/channel/todos.h"

#include <catch2/catch.hpp>

namespace reprise::channel {
namespace {

using Todos = std::vector<std::string>;

TEST_CASE("what is to be done is told by a box, by the word todo, or by a request in Russian") {
  CHECK(extract_todos("- [ ] write the tests") == Todos{"write the tests"});
  CHECK(extract_todos("* [ ] write the docs") == Todos{"write the docs"});
  CHECK(extract_todos("todo: call the bank") == Todos{"call the bank"});
  CHECK(extract_todos("todo call the bank") == Todos{"call the bank"});
  CHECK(extract_todos("сделай отчёт о тестах") == Todos{"сделай отчёт о тестах"});
  CHECK(extract_todos("нужно купить хлеб") == Todos{"нужно купить хлеб"});
  CHECK(extract_todos("надо позвонить") == Todos{"надо позвонить"});
}

TEST_CASE("upper and lower case are the same, in every alphabet and in both compositions") {
  CHECK(extract_todos("ToDo: Call the bank") == Todos{"Call the bank"});
  CHECK(extract_todos("СДЕЛАЙ отчёт") == Todos{"СДЕЛАЙ отчёт"});
  CHECK(extract_todos("сделаи\xCC\x86 отчёт") == Todos{"сделаи\xCC\x86 отчёт"});
}

TEST_CASE("what is done, what only mentions it, and what is too short is no todo") {
  CHECK(extract_todos("- [x] write the tests").empty());
  CHECK(extract_todos("the todo: list is long").empty());
  CHECK(extract_todos("todos are many here").empty());
  CHECK(extract_todos("он сделай что-то").empty());
  CHECK(extract_todos("todo: abcde").empty());
  CHECK(extract_todos("todo: привет") == Todos{"привет"});
  CHECK(extract_todos("").empty());
  CHECK(extract_todos("- [ ]").empty());
}

TEST_CASE("white space is collapsed, and the first spelling of a todo is kept in its place") {
  const auto* text =
      "please\n"
      " \t- [ ]   write \t the  tests \r\n"
      "todo: WRITE the tests\n"
      "nothing\n"
      "ToDo \xC2\xA0ship it now";
  CHECK(extract_todos(text) == Todos{"write the tests", "ship it now"});
}

}  // namespace
}  // namespace reprise::channel
