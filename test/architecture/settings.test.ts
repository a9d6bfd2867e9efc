/** Every environment variable that the sources read is in the table that `svc help settings` prints. */
import { assert, describe, expect, it } from "@effect/vitest"
import { settings } from "#cli/commands/help.ts"
import { renamed } from "#embed/oldOptions.ts"
import { embedded } from "#embed/readHostSettings.ts"
import { variables } from "#embed/Settings.ts"
import { packageNames, sourcesIn } from "../support/sources.ts"

const known = new Set(settings.map(({ name }) => name))

/** Lines of a comment, at most 120 characters wide. */
const wrapped = (text: string): string => {
  const lines = [""]
  for (const word of text.split(" ")) {
    const line = lines.at(-1) ?? ""
    if (line.length + word.length < 112) lines[lines.length - 1] = line === "" ? word : `${line} ${word}`
    else lines.push(word)
  }
  return lines.map((line) => `   * ${line}`).join("\n")
}

/** What a setting says of a value that is none. */
const problemOf = (read: (text: string) => unknown): string => {
  const { problem = "" }: { readonly problem?: string } = Object(read("\0"))
  return problem
}

/** The words that a setting takes; none where it takes other values too. */
const wordsOf = (read: (text: string) => unknown): ReadonlyArray<string> =>
  /^must be one of (.*)$/.exec(problemOf(read))?.[1]?.split(", ") ?? []

/** The type of what a setting reads, by what it says of a value that is none: hosts do not see the types of the tables. */
const typeOf = (read: (text: string) => unknown): string => {
  const [problem, words] = [problemOf(read), wordsOf(read)]
  if (words.length > 0) return words.map((word) => `"${word}"`).join(" | ")
  if (problem === "must be true or false") return "boolean"
  return problem.startsWith("must be a whole number") ? "number" : "string"
}

describe("settings", () => {
  it("are all listed", () => {
    const read = packageNames.flatMap((name) =>
      sourcesIn(`packages/${name}/src`, ".ts").flatMap(({ path, text }) =>
        [...text.matchAll(/"(SVC_[A-Z_]+)"/g)].map(([, variable = ""]) => ({ path, variable }))
      )
    )
    assert.isAbove(read.length, known.size / 2)
    assert.deepStrictEqual(
      read
        .filter(({ variable }) => !known.has(variable.replace(/_FILE$/, "")) && !known.has(variable))
        .map(({ path, variable }) => `${path}: ${variable}`),
      []
    )
  })

  it("say what they mean", () => {
    assert.deepStrictEqual(
      settings.filter(({ meaning }) => meaning.length < 8).map(({ name }) => name),
      []
    )
    assert.strictEqual(settings.length, known.size)
  })

  it("name every word that they take", () => {
    const choices = Object.values(variables).filter(({ read }) => wordsOf(read).length > 0)
    assert.isAbove(choices.length, 4)
    const unnamed = choices.flatMap(({ meaning, name, read }) =>
      wordsOf(read).flatMap((word) => (new RegExp(`\\b${word}\\b`).test(meaning) ? [] : [`${name}: ${word}`]))
    )
    assert.deepStrictEqual(unnamed, [])
  })

  it("of an embedded service are those of SvcSettings", async () => {
    const lines = embedded.map(([setting, { name, meaning, read }]) => {
      const shown = settings.find((candidate) => candidate.name === name)?.default ?? ""
      const text = meaning.replace(/; or the path of a file .*$/, "")
      const option = renamed[`settings.${setting}`]
      const instead = option === undefined ? "" : `@deprecated Use the option \`${option}\`. `
      const doc = `${instead}${text}${shown === "" ? "" : `; default ${shown}`}. Variable: ${name}.`
      const short = `  /** ${doc} */`
      const long = `  /**\n${wrapped(doc)}\n   */`
      return `${short.length <= 120 ? short : long}\n  readonly ${setting}?: ${typeOf(read)} | undefined`
    })
    const source = `/** Made of the table in Settings.ts: npm test -- architecture/settings --update. */

/** Settings of an embedded service, by name. Secrets and URLs are texts. */
export interface SvcSettings {
${lines.join("\n")}
}
`
    await expect(source, "The settings changed: npm test -- architecture/settings --update").toMatchFileSnapshot(
      "../../packages/embed/src/SvcSettings.ts"
    )
  })
})
