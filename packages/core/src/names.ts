/** What the client shares with the service: names in messages, options and JSON. Loads nothing else, as browsers have it too. */
export { nearestName } from "./kernel/schema/nearestName.ts"
export * from "./kernel/schema/options.ts"
export { plainJson } from "./kernel/schema/plainJson.ts"
