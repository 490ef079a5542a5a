# Unity builds by folder: most of what a unit costs is what it includes, and the units of a folder
# include the same. Numbers are in docs/decisions/0034-building.md.

# Batches of more sources save little, and leave a processor without work at the end of a build.
set(REPRISE_BATCH 12)

# compile_in_batches(TARGET): compiles the sources of each folder of TARGET in batches of at most
# REPRISE_BATCH, as even as they can be. A batch never holds sources of two folders: names of internal
# linkage are unique within a folder only (tests/house/names_test.py).
function(compile_in_batches target)
  if(NOT REPRISE_UNITY)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  get_target_property(base ${target} SOURCE_DIR)
  set(folders)
  foreach(source IN LISTS sources)
    if(source MATCHES "\\.cc$")
      get_filename_component(path ${source} ABSOLUTE BASE_DIR ${base})
      get_filename_component(folder ${path} DIRECTORY)
      file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR} ${folder})
      string(MAKE_C_IDENTIFIER ${folder} name)
      list(APPEND folders ${name})
      list(APPEND in_${name} ${path})
    endif()
  endforeach()
  list(REMOVE_DUPLICATES folders)
  foreach(name IN LISTS folders)
    list(LENGTH in_${name} count)
    math(EXPR batches "(${count} + ${REPRISE_BATCH} - 1) / ${REPRISE_BATCH}")
    set(index 0)
    foreach(path IN LISTS in_${name})
      math(EXPR batch "${index} * ${batches} / ${count}")
      set_source_files_properties(${path} TARGET_DIRECTORY ${target}
                                  PROPERTIES UNITY_GROUP ${name}_${batch})
      math(EXPR index "${index} + 1")
    endforeach()
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()
