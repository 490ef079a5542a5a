# Unity builds: most of what a unit costs is what it includes, and the units of a library include
# the same. docs/decisions/0034-building.md has the numbers.

# More in a batch saves little, and leaves a processor without work at the end of a build.
set(REPRISE_BATCH 16)

# compile_in_batches(TARGET): compiles the sources of TARGET in even batches of at most REPRISE_BATCH.
# Names of internal linkage do not meet in a batch: tests/house/names_test.py.
function(compile_in_batches target)
  if(NOT REPRISE_UNITY)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.cc$")
  list(LENGTH sources count)
  math(EXPR batches "(${count} + ${REPRISE_BATCH} - 1) / ${REPRISE_BATCH}")
  math(EXPR size "(${count} + ${batches} - 1) / ${batches}")
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${size})
endfunction()
