/** Methods of the library carry the summaries of their commands, for editors. */
import { describe, expect, it } from "@effect/vitest"
import { commands } from "#core/commands.ts"
import { commandTree } from "../../packages/client/src/CommandTree.ts"

type Tree = Readonly<Record<string, unknown>>

const known = commands.filter(({ visibility }) => visibility === "public")

const membersOf = async (tree: Tree, indent: string): Promise<string> => {
  const lines = Object.entries(tree).map(async ([name, member]) => {
    if (typeof member !== "function")
      return `${indent}readonly ${name}: {\n${await membersOf(Object(member), `${indent}  `)}${indent}}\n`
    const id = await member()
    const summary = known.find((command) => command.id === id)?.summary
    const [says, method] = [`/** ${summary} */`, `readonly ${name}: "${id}"`]
    const line = `${indent}${says} ${method}`
    return line.length <= 120 ? `${line}\n` : `${indent}${says}\n${indent}${method}\n`
  })
  return (await Promise.all(lines)).join("")
}

describe("methods", () => {
  it("are those of MethodIds, with the summaries of the catalogue", async () => {
    const tree = commandTree(
      known.map(({ id }) => id),
      async (id) => id
    )
    const source = `/** Made of the catalogue: npm test -- architecture/methods --update. */

/** The ids of commands, by the names of their methods. */
export interface MethodIds {
${await membersOf(tree, "  ")}}
`
    await expect(source, "The commands changed: npm test -- architecture/methods --update").toMatchFileSnapshot(
      "../../packages/client/src/MethodIds.ts"
    )
  })
})
