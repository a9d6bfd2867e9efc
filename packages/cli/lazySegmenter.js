// For the bundle: the command line of Effect makes a segmenter of texts when it is loaded. That takes 10 ms of every start, and
// only tables and help for people need it, so it is made on use.
import { readFile } from "node:fs/promises"

const eager = /const graphemeSegmenter = (?:\/\*#__PURE__\*\/)?(new Intl\.Segmenter\([^)]*\))/

/** The plugin. Fails where there is nothing to change any more. */
export const lazySegmenter = {
  name: "lazy-segmenter",
  setup: (build) => {
    build.onLoad({ filter: /effect\/dist\/cli\/CliOutput\.js$/ }, async ({ path }) => {
      const text = await readFile(path, "utf8")
      if (!eager.test(text)) throw new Error(`${path} makes its segmenter in another way. Change lazySegmenter.js.`)
      const lazy = "let segmenter; const graphemeSegmenter = { segment: (text) => (segmenter ??= $1).segment(text) }"
      return { contents: text.replace(eager, lazy), loader: "js" }
    })
  }
}
