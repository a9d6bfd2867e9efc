// For the bundle: the command line of Effect makes a segmenter of texts when it is loaded. That takes 10 ms of every start, and
// only tables and help for people need it, so it is made on use.
import { sourceChange } from "./sourceChange.js"

const eager = /const graphemeSegmenter = (?:\/\*#__PURE__\*\/)?(new Intl\.Segmenter\([^)]*\))/

const lazy = "let segmenter; const graphemeSegmenter = { segment: (text) => (segmenter ??= $1).segment(text) }"

/** The plugin. */
export const lazySegmenter = sourceChange("lazySegmenter.js", /effect\/dist\/cli\/CliOutput\.js$/, [[eager, lazy]])
