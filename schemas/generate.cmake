# Writes OUTPUT, a C++ source with the text of all FILES (a list of *.schema.json).
set(rows "")
foreach(file IN LISTS FILES)
  get_filename_component(name ${file} NAME)
  string(REPLACE ".schema.json" "" name ${name})
  if(file MATCHES "/commands/")
    string(REGEX REPLACE "^([a-z]+)-(.*)$" "\\1:\\2" name ${name})
  endif()
  file(READ ${file} json)
  string(APPEND rows "    {\"${name}\", R\"__json__(${json})__json__\"sv},\n")
endforeach()
file(WRITE ${OUTPUT} "// Written by schemas/generate.cmake.
#include \"schemas/schemas.h\"

namespace reprise {
namespace {

using namespace std::string_view_literals;

constexpr Schema kSchemas[] = {
${rows}};

}  // namespace

std::span<const Schema> all_schemas() { return kSchemas; }

}  // namespace reprise
")
