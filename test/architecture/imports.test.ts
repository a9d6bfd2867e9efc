/** Who may import whom: packages, and the rooms of core in their order. */
import { posix } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { importsOf, packageNames, type Source, sourcesIn } from "../support/sources.ts"

/** What each package may import beside itself, `effect` and what Node has. */
const allowed: Readonly<Record<string, ReadonlyArray<string>>> = {
  // A reader of CSV and one of IP addresses, which compute and need nothing.
  core: ["csv-parse", "ipaddr.js"],
  client: ["@svc/core"],
  memory: ["@svc/core"],
  postgres: ["@svc/core", "@effect/sql-pg", "@electric-sql/pglite", "postgres-array", "tar"],
  providers: [
    "@svc/core",
    "email-reply-parser",
    "imapflow",
    "mailauth",
    "mailparser",
    "nodemailer",
    "standardwebhooks"
  ],
  http: ["@svc/core", "@effect/platform-node", "redis"],
  // Routes of the HTTP surface, which it gets as values.
  auth: ["@svc/core", "@svc/http", "oauth4webapi"],
  mcp: ["@svc/core"],
  // Of core only types: the page has its own copy of the others.
  console: ["@svc/core", "@preact/signals", "preact"],
  // These two put processes and host programs together.
  embed: [
    "@svc/auth",
    "@svc/client",
    "@svc/console",
    "@svc/core",
    "@svc/http",
    "@svc/mcp",
    "@svc/memory",
    "@svc/postgres",
    "@svc/providers"
  ],
  testing: ["@svc/core", "@svc/embed", "@svc/memory"],
  cli: [
    "@svc/core",
    "@svc/embed",
    "@svc/http",
    "@svc/mcp",
    "@svc/postgres",
    "@svc/providers",
    "@effect/platform-node",
    "jq-wasm",
    "smol-toml"
  ]
}

/** Modules of Node that core may use: they compute, and reach nothing outside. `node:net` tells address ranges. */
const coreMayUse = new Set(["node:buffer", "node:crypto", "node:net", "node:util", "node:zlib"])

/** The rooms of core; each may import those before it. Rooms in one line know nothing of each other. */
const order: ReadonlyArray<ReadonlyArray<string>> = [
  ["kernel"],
  ["workspace"],
  ["webhooks"],
  ["offers"],
  ["agents"],
  ["missions"],
  ["leads"],
  ["outreach"],
  ["email", "imports"],
  ["reports", "review", "runs"],
  ["resources"]
]

const inCore = "packages/core/src/"

/** Path of an imported module, from the folder of its package's sources; undefined for another package. */
const resolved = (path: string, from: string): string | undefined =>
  from.startsWith(".") ? posix.join(posix.dirname(path), from) : undefined

/** Undefined for the entry points that stand above the rooms. */
const roomOf = (path: string): string | undefined => /^(?!internal\/)([^/]+)\//.exec(path)?.[1]

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
    const seen = new Set<string>()
    const wrong = sourcesIn(`packages/${name}/src`, ".ts", ".tsx").flatMap((source) =>
      importsOf(source)
        .filter(({ from }) => {
          if (from.startsWith("."))
            return !posix.join(posix.dirname(source.path), from).startsWith(`packages/${name}/src/`)
          if (from.startsWith("node:")) return name === "core" && !coreMayUse.has(from)
          seen.add(packageOf(from))
          return !known.has(packageOf(from))
        })
        .map(({ from }) => `${source.path} imports ${from}`)
    )
    assert.deepStrictEqual(wrong, [])
    assert.deepStrictEqual(
      (may ?? []).filter((one) => !seen.has(one)),
      [],
      "nothing imports it any more: take it out of the table and out of package.json"
    )
  })

  it("name modules of Effect, files with their ending, and nothing as default", () => {
    const sources = packageNames.flatMap((name) => sourcesIn(`packages/${name}/src`, ".ts", ".tsx"))
    const wrong = sources.flatMap((source) => [
      ...importsOf(source)
        .filter(({ from }) => from === "effect" || (from.startsWith(".") && !/\.(tsx?|json|css)$/.test(from)))
        .map(({ from }) => `${source.path} imports ${from}`),
      ...(/^export default /m.test(source.text) ? [`${source.path} has a default export`] : [])
    ])
    assert.deepStrictEqual(wrong, [])
  })

  it.for(packageNames)("of %s have no circles, types included", (name) => {
    const next = new Map(
      sourcesIn(`packages/${name}/src`, ".ts", ".tsx").map((source: Source) => [
        source.path,
        importsOf(source).flatMap(({ from }) => resolved(source.path, from) ?? [])
      ])
    )
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

describe("rooms of core", () => {
  const sources = sourcesIn("packages/core/src", ".ts")
  const edges = sources.flatMap((source: Source) =>
    importsOf(source).flatMap(({ from }) => {
      const target = resolved(source.path, from)
      return target === undefined ? [] : [{ path: source.path.replace(inCore, ""), target: target.replace(inCore, "") }]
    })
  )
  const rank = (path: string): number => order.findIndex((rooms) => rooms.includes(roomOf(path) ?? ""))
  const shown = (wrong: typeof edges): ReadonlyArray<string> => wrong.map(({ path, target }) => `${path} -> ${target}`)

  it("are known", () => {
    const folders = new Set(sources.flatMap(({ path }) => roomOf(path.replace(inCore, "")) ?? []))
    assert.deepStrictEqual([...folders].toSorted(), order.flat().toSorted(), "give each folder its place in the order")
  })

  it("import only those before them", () => {
    const wrong = edges.filter(({ path, target }) => {
      if (roomOf(path) === undefined || roomOf(path) === roomOf(target)) return false
      return roomOf(target) === undefined || rank(target) >= rank(path)
    })
    assert.deepStrictEqual(shown(wrong), [])
  })

  it("import files by name, never the index of a room", () => {
    const wrong = edges.filter(({ path, target }) => path !== "index.ts" && /^\w+\/index\.ts$/.test(target))
    assert.deepStrictEqual(shown(wrong), [])
  })

  it("never import a command or the list of commands of another", () => {
    const wrong = edges.filter(({ path, target }) => {
      const [from, to] = [roomOf(path), roomOf(target)]
      if (from === undefined || to === undefined || from === to || from === "resources") return false
      return /\/commands\/|\/(rest|commands)\.ts$/.test(target)
    })
    assert.deepStrictEqual(shown(wrong), [])
  })
})
