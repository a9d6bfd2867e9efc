/** The event feed. */
export { EventEnvelope, envelopeOf } from "./EventEnvelope.ts"
export { EventFeed } from "./EventFeed.ts"
export { restCommands } from "./rest.ts"
