"""Homes that heartbeats look after."""

from drive_home import DriveHome

PARENT = """
export async function process(inputs, ctx) {
  return await ctx.run('builtin:checklist', { steps: ['make'] });
}
"""


class BeatHome(DriveHome):
    def setUp(self):
        super().setUp()
        # The visor has cases of its own.
        self.environment["REPRISE_VISOR_BOOTSTRAP_BULLETIN"] = "false"

    def beat(self, *words, **options):
        return self.ok("heartbeat", *words, **options)

    def runs(self, *words):
        return [(run["runId"], run["status"]) for run in self.beat(*words)["runs"]]

    def status(self, run):
        return self.ok("run:status", run)["state"]
