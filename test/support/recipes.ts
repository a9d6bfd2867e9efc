/** The programs in the embedding guide, by the headings above them. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "./sources.ts"

const text = readFileSync(join(root, "packages/embed/README.md"), "utf8")

/** The headings of the section whose heading is this. */
export const recipesOf = (section: string): ReadonlyArray<string> => {
  const start = text.indexOf(`\n## ${section}\n`)
  const end = text.indexOf("\n## ", start + 1)
  return [...text.slice(start, end).matchAll(/^### (.+)$/gm)].map(([, heading = ""]) => heading)
}

/** The JavaScript blocks below a heading, before the next one. */
export const programsOf = (heading: string): ReadonlyArray<string> => {
  const start = text.search(new RegExp(`^##+ ${heading.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")}$`, "m"))
  if (start === -1) throw new Error(`The embedding guide has no ${heading}.`)
  const below = text.slice(text.indexOf("\n", start))
  const end = below.search(/^##+ /m)
  return [...below.slice(0, end).matchAll(/^```js\n([\s\S]*?)^```$/gm)].map(([, code = ""]) => code)
}
