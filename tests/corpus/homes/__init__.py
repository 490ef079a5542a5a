"""What stands in the corpus: each module has HOMES, name: (whether its runs are real ones, how it
is made, its courses by name)."""

from homes import agents, channels, loop, people, real, scripts, stores

HOMES = {
    name: home
    for module in (scripts, people, channels, stores, loop, agents, real)
    for name, home in module.HOMES.items()
}
