/** What every README names exists: files, links, settings, scripts and commands. */
import { existsSync, readFileSync } from "node:fs"
import { join, normalize } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { settings } from "#cli/commands/help.ts"
import { allHelp } from "#cli/manual.ts"
import { root, type Source, sourcesIn } from "../support/sources.ts"

const readmes: ReadonlyArray<Source> = [
  { path: "README.md", text: readFileSync(join(root, "README.md"), "utf8") },
  ...["packages", "examples", "test"].flatMap((folder) => sourcesIn(folder, "README.md"))
]

/** What a README names that is not there, each with its file. */
const missing = (
  expression: RegExp,
  isThere: (name: string, readme: Source) => boolean,
  { prose = false }: { readonly prose?: boolean } = {}
): ReadonlyArray<string> => {
  const named = readmes.flatMap((readme) => {
    const text = prose ? readme.text.replaceAll(/^```[\s\S]*?^```$/gm, "") : readme.text
    return [...text.matchAll(expression)].map(([, name = ""]) => ({ name, readme }))
  })
  assert.isAbove(named.length, 9)
  return named.filter(({ name, readme }) => !isThere(name, readme)).map(({ name, readme }) => `${readme.path}: ${name}`)
}

/** The anchors of a document. */
const anchorsOf = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w -]/g, "")
      .replaceAll(" ", "-")
  )

describe("READMEs", () => {
  it("are those of the packages and of what else has one", () => {
    assert.isAbove(readmes.length, 25)
  })

  it("name files that are there", () => {
    const files = ["packages", "examples", "test"].flatMap((folder) =>
      sourcesIn(folder, ".ts", ".tsx", ".js", ".sql", ".json", ".yaml", ".md").map(({ path }) => path)
    )
    const ends = (name: string) => files.some((path) => `/${path}`.endsWith(`/${name.replace(/^(\.\.\/)+/, "")}`))
    // A host's own file, the name of a migration to write, and what a benchmark writes.
    const others = new Set([
      "svc.config.js",
      "src/sql/migrations/0002-what-it-does.sql",
      "src/sql/migrations/0001-schema.sql",
      "src/migrations/generated.ts",
      "test/dist/bench-requests.json"
    ])
    const named = /`((?:\.\.\/)*[\w@][\w@./-]*\.(?:ts|tsx|js|sql|json|yaml|md))`/g
    assert.deepStrictEqual(
      missing(named, (name) => others.has(name) || ends(name), { prose: true }),
      []
    )
  })

  it("link to files and headings that are there", () => {
    const isThere = (link: string, { path, text }: Source): boolean => {
      const [file = "", anchor] = link.split("#")
      const place = file === "" ? path : normalize(join(path, "..", file))
      if (!existsSync(join(root, place))) return false
      return (
        anchor === undefined || anchorsOf(file === "" ? text : readFileSync(join(root, place), "utf8")).includes(anchor)
      )
    }
    assert.deepStrictEqual(missing(/\]\((?!https?:)([^)]+)\)/g, isThere), [])
  })

  it("name settings and scripts that are there", () => {
    const names = new Set(settings.map(({ name }) => name))
    const ofTests = sourcesIn("test", ".ts").filter(({ path }) => !path.includes("/architecture/"))
    const isSetting = (name: string) =>
      names.has(name) ||
      names.has(name.replace(/_FILE$/, "")) ||
      (/^SVC_(TEST|CITUS)_/.test(name) && ofTests.some(({ text }) => text.includes(name)))
    assert.deepStrictEqual(missing(/\b(SVC_[A-Z_]+)\b/g, isSetting), [])
    const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
    assert.deepStrictEqual(
      missing(/\bnpm run ([\w:]+)/g, (name) => name in scripts),
      []
    )
  })

  it("name commands of svc that are there", async () => {
    const help = await Effect.runPromise(allHelp)
    const groups = new Set(help.filter(([, { subcommands = [] }]) => subcommands.length > 0).map(([words]) => words))
    const known = new Set(help.map(([words]) => words))
    const isThere = (line: string): boolean => {
      // The command of a host in an example.
      if (line === "crm ping") return true
      const words = line.split(" ")
      const shown = words.map((_, index) => words.slice(0, index + 1).join(" ")).filter((start) => known.has(start))
      const longest = shown.at(-1)
      // After a command, words are its arguments; after a group, they would be a subcommand.
      return longest !== undefined && (longest === line || !groups.has(longest))
    }
    assert.deepStrictEqual(missing(/(?:`|npx |^)svc ([a-z][a-z-]*(?: [a-z][a-z-]*)*)/gm, isThere), [])
  })
})
