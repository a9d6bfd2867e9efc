/** Who may import whom. Source: architecture, "Packages". */
import { posix } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { importsOf, packageNames, type Source, sourcesIn } from "../support/sources.ts"

/** What each package may import beside itself, `effect` and what Node has. */
const allowed: Readonly<Record<string, ReadonlyArray<string>>> = {
  // A reader of CSV that computes and needs nothing.
  core: ["csv-parse"],
  postgres: ["@svc/core", "@effect/sql-pg", "@electric-sql/pglite", "tar"],
  http: ["@svc/core", "@effect/platform-node"],
  mcp: ["@svc/core"],
  unipile: ["@svc/core"],
  smtp: ["@svc/core", "nodemailer"],
  webhooks: ["@svc/core", "ipaddr.js", "standardwebhooks"],
  // These two put processes and host programs together.
  embed: ["@svc/core", "@svc/http", "@svc/mcp", "@svc/postgres", "@svc/smtp", "@svc/unipile", "@svc/webhooks"],
  cli: [
    "@svc/core",
    "@svc/embed",
    "@svc/http",
    "@svc/mcp",
    "@svc/postgres",
    "@svc/smtp",
    "@svc/unipile",
    "@svc/webhooks",
    "@effect/platform-node"
  ]
}

/** Modules of Node that core may use: they compute, and reach nothing outside. */
const coreMayUse = new Set(["node:buffer", "node:crypto", "node:util", "node:zlib"])

/** Modules that may use more of Node, each with its reason. */
const coreExceptions: Readonly<Record<string, string>> = {
  "packages/core/src/webhooks/WebhookTarget.ts imports node:net": "tells address ranges; opens no connection"
}

/** The domains of core, each may import those before it. */
const domains: ReadonlyArray<string> = [
  "workspace",
  "keys",
  "events",
  "webhooks",
  "audit",
  "offers",
  "agents",
  "missions",
  "leads",
  "linkedin",
  "email",
  "imports",
  "approvals",
  "status"
]

/** Folders of core that look at all domains: read-only documents over them, and a stand-in for the outside. */
const overDomains = new Set(["resources", "simulator"])

/**
 * Imports of a domain from one that comes later, each with its reason. The in-memory store joins tables as SQL does, so
 * it reads the tables of later domains; a vocabulary that two domains share lives with the one that owns it.
 */
const upward: Readonly<Record<string, string>> = {
  "agents/AgentInput.ts -> leads/identity/Email.ts": "one normal form of e-mail addresses",
  "agents/AgentsMemory.ts -> missions/MissionTables.ts": "counts the missions of an agent",
  "missions/MissionStats.ts -> leads/LeadStatus.ts": "counts the leads of a mission by status",
  "missions/MissionsMemory.ts -> leads/LeadTables.ts": "counts the leads of a mission",
  "missions/MissionsMemory.ts -> imports/ImportTables.ts": "shows the imports of a mission",
  "missions/MissionsMemory.ts -> imports/ImportRun.ts": "shows the imports of a mission",
  "missions/MissionsMemory.ts -> linkedin/LinkedInTables.ts": "a mission with open drafts is not deleted",
  "missions/MissionReportMemory.ts -> leads/LeadTables.ts": "counts what happened to the leads of a mission",
  "missions/MissionReportMemory.ts -> leads/LeadStatus.ts": "counts the leads of a mission by status",
  "missions/MissionReportMemory.ts -> linkedin/LinkedInTables.ts": "counts what happened to the drafts of a mission",
  "missions/missionActivity.ts -> leads/LeadStatus.ts": "counts the leads of a mission by status",
  "offers/OffersMemory.ts -> missions/MissionTables.ts": "an offer that a mission proposes is not deleted",
  "missions/MissionInput.ts -> imports/ImportRun.ts": "a mission names the type of its import",
  "missions/Mission.ts -> imports/index.ts": "a mission shows its imports",
  "missions/Mission.ts -> imports/ImportRun.ts": "a mission shows its imports",
  "leads/searchLeads.ts -> imports/ImportTables.ts": "finds leads by the import that brought them",
  "leads/privacy/PrivacyMemory.ts -> imports/ImportTables.ts": "forgets a person wherever they are kept",
  "leads/privacy/PrivacyMemory.ts -> linkedin/LinkedInTables.ts": "forgets a person wherever they are kept",
  "leads/privacy/leadFileMemory.ts -> imports/ImportTables.ts": "shows a person all that is kept of them",
  "leads/privacy/leadFileMemory.ts -> linkedin/LinkedInTables.ts": "shows a person all that is kept of them",
  "leads/privacy/PrivacyMemory.ts -> email/EmailTables.ts": "forgets a person wherever they are kept",
  "leads/privacy/leadFileMemory.ts -> email/EmailTables.ts": "shows a person all that is kept of them",
  "leads/leadViewMemory.ts -> linkedin/LinkedInTables.ts": "shows relation and drafts beside a lead",
  "leads/leadViewMemory.ts -> linkedin/DraftRow.ts": "shows relation and drafts beside a lead"
}

const inCore = "packages/core/src/"

/** Path of an imported module of core, from its sources' folder; undefined for another package. */
const resolved = (path: string, from: string): string | undefined =>
  from.startsWith(".") ? posix.join(posix.dirname(path), from).replace(inCore, "") : undefined

const domainOf = (path: string): string | undefined => (path.includes("/") ? path.split("/")[0] : undefined)

const packageOf = (from: string): string =>
  from
    .split("/")
    .slice(0, from.startsWith("@") ? 2 : 1)
    .join("/")

describe("imports", () => {
  it.for(packageNames)("of %s go down", (name) => {
    const may = allowed[name]
    assert.isDefined(may, `say what the package ${name} may import`)
    const known = new Set([...(may ?? []), `@svc/${name}`, "effect"])
    const wrong = sourcesIn(`packages/${name}/src`, ".ts").flatMap((source) =>
      importsOf(source)
        .filter(({ from }) => {
          if (from.startsWith("."))
            return !posix.join(posix.dirname(source.path), from).startsWith(`packages/${name}/src/`)
          if (from.startsWith("node:")) return name === "core" && !coreMayUse.has(from)
          return !known.has(packageOf(from))
        })
        .map(({ from }) => `${source.path} imports ${from}`)
        .filter((line) => coreExceptions[line] === undefined)
    )
    assert.deepStrictEqual(wrong, [])
  })

  it("name modules of Effect, files with their ending, and nothing as default", () => {
    const sources = packageNames.flatMap((name) => sourcesIn(`packages/${name}/src`, ".ts"))
    const wrong = sources.flatMap((source) => [
      ...importsOf(source)
        .filter(({ from }) => from === "effect" || (from.startsWith(".") && !/\.(ts|json)$/.test(from)))
        .map(({ from }) => `${source.path} imports ${from}`),
      ...(/^export default /m.test(source.text) ? [`${source.path} has a default export`] : [])
    ])
    assert.deepStrictEqual(wrong, [])
  })
})

describe("domains of core", () => {
  const sources = sourcesIn("packages/core/src", ".ts")
  const edges = sources.flatMap((source: Source) =>
    importsOf(source).flatMap(({ from, isType }) => {
      const target = resolved(source.path, from)
      return target === undefined ? [] : [{ path: source.path.replace(inCore, ""), target, isType }]
    })
  )

  it("are known", () => {
    const known = new Set([...domains, ...overDomains])
    const folders = new Set(sources.flatMap(({ path }) => domainOf(path.replace(inCore, "")) ?? []))
    assert.deepStrictEqual(
      [...folders].filter((folder) => !known.has(folder)),
      [],
      "give the folder its place in the order of domains"
    )
  })

  it("import only those before them, but for what is listed", () => {
    const rank = (path: string): number => domains.indexOf(domainOf(path) ?? "")
    const climbing = edges.filter(({ path, target }) => rank(path) !== -1 && rank(target) > rank(path))
    const shown = climbing.map(({ path, target }) => `${path} -> ${target}`)
    assert.deepStrictEqual(
      shown.filter((edge) => upward[edge] === undefined),
      []
    )
  })

  it("never import a command or a repository's making of another", () => {
    const wrong = edges.filter(({ path, target }) => {
      const [from, to] = [domainOf(path), domainOf(target)]
      if (from === undefined || to === undefined || from === to || overDomains.has(from)) return false
      return /\/commands\//.test(target) || /\/rest\.ts$/.test(target)
    })
    assert.deepStrictEqual(
      wrong.map(({ path, target }) => `${path} -> ${target}`),
      []
    )
  })

  it("import nothing in a circle at run time", () => {
    const next = new Map<string, Array<string>>()
    for (const { isType, path, target } of edges) {
      if (!isType) next.set(path, [...(next.get(path) ?? []), target])
    }
    const done = new Set<string>()
    const circles: Array<string> = []
    const walk = (path: string, trail: ReadonlyArray<string>): void => {
      if (trail.includes(path)) circles.push([...trail.slice(trail.indexOf(path)), path].join(" -> "))
      if (done.has(path) || trail.includes(path)) return
      for (const target of next.get(path) ?? []) walk(target, [...trail, path])
      done.add(path)
    }
    for (const path of next.keys()) walk(path, [])
    assert.deepStrictEqual(circles, [])
  })
})
