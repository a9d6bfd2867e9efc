/** The read-only documents of the service. */
export { guide } from "./guide.ts"
export { makeResources } from "./makeResources.ts"
