// For the bundle: what is other than a package has it.
import { readFile } from "node:fs/promises"

/**
 * The plugin that replaces texts or patterns in the file that fits, once each. Fails where there is nothing to replace any more, and
 * names the module to change.
 */
export const sourceChange = (module, filter, changes) => ({
  name: module,
  setup: (build) => {
    build.onLoad({ filter }, async ({ path }) => {
      let contents = await readFile(path, "utf8")
      for (const [before, after] of changes) {
        const changed = contents.replace(before, after)
        if (changed === contents) throw new Error(`${path} no longer has ${before}. Change ${module}.`)
        contents = changed
      }
      return { contents, loader: "js" }
    })
  }
})
