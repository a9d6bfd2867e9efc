// For the bundle: each time that a fiber waits, Effect makes an AsyncResource, so that the AsyncLocalStorage of a host's code goes
// on with it. No such code runs in the executable, whose requests wait nine times each and took 5 to 9 % more processor time.
import { sourceChange } from "./sourceChange.js"

/** The plugin. */
export const noAsyncResources = sourceChange("noAsyncResources.js", /effect\/dist\/internal\/effect\.js$/, [
  [/const captureAsyncContext = \(\) => [^;]+;/, "const captureAsyncContext = () => undefined;"]
])
