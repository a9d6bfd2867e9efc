/** Tests that `npm test` leaves to `npm run campaign -- ci`: each is a file or a folder below `test/`. */
export const slowTests: ReadonlyArray<string> = [
  // Packing, installing, and the toolchains of hosts.
  "embed/recipes.test.ts",
  "examples.test.ts",
  "packages/",
  // Pages in Chromium.
  "browser/",
  // The built program in many processes, and in other shells.
  "cli/adminPort.test.ts",
  "cli/backup.test.ts",
  "cli/completionShells.test.ts",
  "cli/deploy.test.ts",
  "cli/discovery.test.ts",
  "cli/move.test.ts",
  "cli/operator.test.ts",
  "cli/operatorPostgres.test.ts",
  "cli/server.test.ts",
  "cli/serviceLogs.test.ts",
  "cli/worker.test.ts",
  "conformance/suite.test.ts",
  "embed/logging.test.ts",
  "http/sharedLimits.test.ts",
  "mcp/stdio.test.ts",
  "postgres/FolderLock.test.ts",
  "telemetry/otlp.test.ts",
  // Mail servers and a name server.
  "smtp/mailServers.test.ts",
  // Processes that are killed.
  "postgres/deliveryKills.test.ts",
  "postgres/importKills.test.ts",
  "sending/crashCampaign.test.ts",
  // Hundreds of rounds.
  "sending/followUpRaces.test.ts",
  // Eighty thousand leads.
  "postgres/busyLeads.test.ts",
  "postgres/leadTouches.test.ts",
  "postgres/rowsRead.test.ts",
  "postgres/searchPlans.test.ts",
  "postgres/unknownTenant.test.ts"
]

/** Whether a path below `test/` is one of them. */
export const isSlowTest = (path: string): boolean => slowTests.some((slow) => path.startsWith(slow))
