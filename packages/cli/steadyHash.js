// For the bundle: Effect's hashing reads a counter that another of its modules exports and changes. Modules of the bundle take
// what they import once, so the counter becomes a property of what is exported.
import { sourceChange } from "./sourceChange.js"

/** The name of the counter. */
export const counter = "backEdges"

/** The plugins. */
export const steadyHash = [
  sourceChange("steadyHash.js", /effect\/dist\/internal\/hash\.js$/, [
    [`export let ${counter} = 0`, `export const ${counter} = { count: 0 }`],
    [`${counter}++`, `${counter}.count++`]
  ]),
  sourceChange("steadyHash.js", /effect\/dist\/Hash\.js$/, [
    [`seen = ${counter}`, `seen = ${counter}.count`],
    [`seen === ${counter}`, `seen === ${counter}.count`]
  ])
]
