// A year, minute by minute.
#include <catch2/catch.hpp>
