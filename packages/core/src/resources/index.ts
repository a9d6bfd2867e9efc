/** The read-only documents of the service. */

export { makeResources } from "./makeResources.ts"
export { guide } from "./serviceResources.ts"
