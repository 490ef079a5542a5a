# cmake -DOUT=<header> -DPRELUDE=<a.js;b.js> -DPATH_JS=<path.js> -P embed.cmake
#
# The module's JavaScript as string constants. Each file is a function expression; the prelude's
# become one array of them, so that they are one script to compile and to cache.
cmake_minimum_required(VERSION 3.25)
set(begin "R\"embedded(")
set(end ")embedded\"")
set(text "// Generated from the module's JavaScript.\n#pragma once\n\n#include <string_view>\n\n")
string(APPEND text "namespace reprise::script {\n\n")
string(APPEND text "inline constexpr std::string_view kPreludeJs =\n")
set(separator "[")
foreach(source IN LISTS PRELUDE)
  file(READ ${source} content)
  string(APPEND text "\"${separator}\\n\"\n${begin}${content}${end}\n")
  set(separator ",")
endforeach()
file(READ ${PATH_JS} content)
string(APPEND text "\"]\";\n\n")
string(APPEND text "inline constexpr std::string_view kPathJs = ${begin}${content}${end};\n")
string(APPEND text "\n}  // namespace reprise::script\n")
file(WRITE ${OUT} "${text}")
