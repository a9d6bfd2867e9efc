/** What the client shares with the service: names in messages, options and JSON. Loads nothing else, as browsers have it too. */
export { nearestName, unknownName } from "./kernel/schema/nearestName.ts"
export { plainJson } from "./kernel/schema/plainJson.ts"
