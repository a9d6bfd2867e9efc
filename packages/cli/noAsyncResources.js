// For the bundle: each time that a fiber waits, Effect makes an AsyncResource, so that the AsyncLocalStorage of a host's code goes
// on with it. No such code runs in the executable, whose requests wait nine times each and took 5 to 9 % more processor time.
import { readFile } from "node:fs/promises"

const making = /const captureAsyncContext = \(\) => [^;]+;/

/** The plugin. Fails where there is nothing to change any more. */
export const noAsyncResources = {
  name: "no-async-resources",
  setup: (build) => {
    build.onLoad({ filter: /effect\/dist\/internal\/effect\.js$/ }, async ({ path }) => {
      const text = await readFile(path, "utf8")
      if (!making.test(text))
        throw new Error(`${path} keeps its async context in another way. Change noAsyncResources.js.`)
      return { contents: text.replace(making, "const captureAsyncContext = () => undefined;"), loader: "js" }
    })
  }
}
