// For the bundle: Effect's hashing reads a counter that another of its modules exports and changes. Modules of the bundle take
// what they import once, so the counter becomes a property of what is exported.
import { readFile } from "node:fs/promises"

/** What is replaced in each file, each of it as often as it is there. */
const replacements = {
  "internal/hash.js": [
    ["export let backEdges = 0", "export const backEdges = { count: 0 }"],
    ["backEdges++", "backEdges.count++"]
  ],
  "Hash.js": [
    ["seen = backEdges", "seen = backEdges.count"],
    ["seen === backEdges", "seen === backEdges.count"]
  ]
}

/** The plugin. Fails where there is nothing to change any more. */
export const steadyHash = {
  name: "steady-hash",
  setup: (build) => {
    build.onLoad({ filter: /effect\/dist\/(internal\/hash|Hash)\.js$/ }, async ({ path }) => {
      let contents = await readFile(path, "utf8")
      for (const [before, after] of replacements[/(internal\/)?\w+\.js$/.exec(path)[0]]) {
        if (!contents.includes(before)) throw new Error(`${path} counts in another way. Change steadyHash.js.`)
        contents = contents.replaceAll(before, after)
      }
      return { contents, loader: "js" }
    })
  }
}
