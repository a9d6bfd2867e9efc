/** Generated configuration files: an entry is added and removed, and all else stays, comments included. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { stringify } from "smol-toml"
import { writeConfig } from "#cli/mcp/configFile.ts"
import { parseJson } from "#cli/mcp/editJson.ts"
import { parseToml } from "#cli/mcp/editToml.ts"
import { merged, withoutEntry } from "#cli/mcp/mergeConfig.ts"
import { effort } from "../support/effort.ts"

const json = { path: "list.json", format: "json", section: "mcpServers" } as const
const toml = { path: "config.toml", format: "toml", section: "mcp_servers" } as const

const command = { command: "node", args: ["/opt/svc.js", "mcp"], env: { SVC_BASE_URL: "http://127.0.0.1:4700" } }
const remote = { url: "https://svc.example/mcp", headers: { Authorization: "Bearer KEY" } }
const entries = fc.constantFrom<Readonly<Record<string, unknown>>>(command, remote)

type Json = Readonly<Record<string, unknown>>

/** Names that editors may take for something else. */
const names = fc.oneof(
  fc.constantFrom("svc", "a", "mcpServers", "x // y", "/* z */", '"', "env", ","),
  fc.string({ maxLength: 6 })
)
const scalars = fc.oneof(fc.integer(), fc.boolean(), fc.constantFrom("", "// no", "/* no */", "}", '{"svc":1},', "\\"))
const objects = fc.dictionary(
  names,
  fc.oneof(scalars, fc.array(scalars, { maxLength: 2 }), fc.dictionary(names, scalars, { maxKeys: 3 })),
  { maxKeys: 4 }
)
const oldEntries = fc.oneof(fc.constant({}), fc.constant(command), fc.constant(remote), objects)

const configs = fc
  .tuple(objects, fc.option(fc.tuple(objects, fc.option(oldEntries, { nil: undefined })), { nil: undefined }))
  .map(([rest, servers]): Json => {
    const { mcpServers: _, ...others } = rest
    if (servers === undefined) return others
    const { svc: __, ...otherServers } = servers[0]
    return { ...others, mcpServers: { ...otherServers, ...(servers[1] === undefined ? {} : { svc: servers[1] }) } }
  })

/** Writes a value with comments, blanks and trailing commas where the numbers say so. */
const written = (value: unknown, choices: ReadonlyArray<number>, eol: string) => {
  let at = 0
  const comments: Array<string> = []
  const next = (below: number): number => (choices[at++ % choices.length] ?? 0) % below
  const gap = (): string => {
    const kind = next(8)
    if (kind > 2) return ["", " ", eol, `${eol}\t`, `${eol}    `][next(5)] ?? ""
    const text = `c${comments.length}${[" }", ",", ' "svc": {', ""][next(4)]}`
    comments.push(text)
    return kind === 0 ? ` // ${text}${eol}` : ` /* ${text} */ `
  }
  const joined = (open: string, items: ReadonlyArray<string>, close: string): string =>
    `${open}${gap()}${items.map((item) => `${item}${gap()}`).join(`,${gap()}`)}${items.length > 0 && next(3) === 0 ? "," : ""}${gap()}${close}`
  const write = (inner: unknown): string => {
    if (Array.isArray(inner)) return joined("[", inner.map(write), "]")
    if (typeof inner !== "object" || inner === null) return JSON.stringify(inner)
    return joined(
      "{",
      Object.entries(inner).map(([key, item]) => `${JSON.stringify(key)}${gap()}:${gap()}${write(item)}`),
      "}"
    )
  }
  const text = `${gap()}${write(value)}${gap()}`
  return { text, comments: comments.filter((comment) => text.includes(comment)) }
}

const without = (config: Json, section: string): Json => {
  const { svc: _, ...servers } = Object(config[section])
  return { ...config, [section]: servers }
}

const entryIn = (config: unknown, section: string): unknown => Object(Object(config)[section]).svc

describe("an edit", () => {
  it("of JSON changes the entry alone, and keeps every comment outside of what it replaces", () => {
    const choices = fc.array(fc.nat(100), { minLength: 20, maxLength: 60 })
    fc.assert(
      fc.property(configs, entries, choices, fc.constantFrom("\n", "\r\n"), (config, entry, numbers, eol) => {
        const { comments, text } = written(config, numbers, eol)
        const after = Result.getOrThrow(merged(text, json, entry))
        assert.deepStrictEqual(without(Object(parseJson(after)), "mcpServers"), without(config, "mcpServers"))
        assert.deepNestedInclude(
          Object(entryIn(parseJson(after), "mcpServers")),
          entry["command"] === undefined ? { url: remote.url } : { args: command.args }
        )
        assert.strictEqual(Result.getOrThrow(merged(after, json, entry)), after)
        const removed = Result.getOrThrow(withoutEntry(after, json))
        assert.deepStrictEqual(Object(parseJson(removed)), without(config, "mcpServers"))
        if (entryIn(config, "mcpServers") === undefined) {
          for (const comment of comments) assert.include(removed, comment, `${text}\n---\n${after}\n---\n${removed}`)
        }
      }),
      { numRuns: effort(300) }
    )
  })

  it("of TOML changes the entry alone, and keeps every other line", () => {
    const tables = fc.dictionary(fc.stringMatching(/^[a-z_-]{1,6}$/), scalars, { maxKeys: 3 })
    const files = fc.record({
      top: tables,
      servers: fc.dictionary(fc.stringMatching(/^[a-z]{1,4}$/), tables, { maxKeys: 3 }),
      old: fc.option(fc.constantFrom(command, { url: "u", startup_timeout_sec: 5 }))
    })
    fc.assert(
      fc.property(files, entries, fc.constantFrom("\n", "\r\n"), ({ old, servers, top }, entry, eol) => {
        const config = {
          top,
          mcp_servers: { ...servers, ...(old === null ? {} : { svc: old }) },
          last: { text: "[mcp_servers.svc]" }
        }
        const lines = stringify(config)
          .split("\n")
          .flatMap((line, index) => [`# ${index} [mcp_servers.svc]`, line])
        const text = lines.join(eol)
        const after = Result.getOrThrow(merged(text, toml, entry))
        const { svc: _, ...others } = Object(config.mcp_servers)
        const kept = { ...config, mcp_servers: others }
        assert.deepStrictEqual(without(Object(parseToml(after)), "mcp_servers"), kept)
        assert.strictEqual(Result.getOrThrow(merged(after, toml, entry)), after)
        const left = after.split(/\r?\n/)
        let isOwn = false
        for (const [index, line] of lines.entries()) {
          if (line.startsWith("[")) isOwn = line.startsWith("[mcp_servers.svc")
          if (!isOwn && index % 2 === 1) assert.includeMembers(left, [lines[index - 1] ?? "", line])
        }
        const removed = Result.getOrThrow(withoutEntry(after, toml))
        assert.deepStrictEqual(without(Object(parseToml(removed)), "mcp_servers"), kept)
        assert.include(removed, `# ${lines.length / 2 - 4} [`, "the comment above the table that follows")
      }),
      { numRuns: effort(150) }
    )
  })

  it("is not written over a file that changed in the meantime", async () => {
    const folder = await mkdtemp(join(tmpdir(), "svc-config-"))
    const path = join(folder, "list.json")
    await writeFile(path, "theirs")
    const failure = await Effect.runPromise(Effect.flip(writeConfig(path, "before", "after")))
    assert.match(failure.message, /was changed in the meantime/)
    assert.strictEqual(await readFile(path, "utf8"), "theirs")
    await rm(folder, { recursive: true })
  })
})
