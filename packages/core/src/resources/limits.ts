/** What requests must keep, as `svc://limits` shows it. Source: G28, G29, G40; contract 1.1, 1.6, 7. */
import { maxDepth } from "../Json.ts"
import { defaultLimit } from "../Page.ts"

/** One limit. `unit` says what `value` counts. */
export interface LimitEntry {
  readonly name: string
  readonly value: number
  readonly unit: string
  readonly description: string
}

const entry = (name: string, value: number, unit: string, description: string): LimitEntry => ({
  name,
  value,
  unit,
  description
})

/** Every limit that a caller can meet. */
export const limits: ReadonlyArray<LimitEntry> = [
  entry("body", 1_048_576, "bytes", "JSON body of a request"),
  entry("leads_body", 5_242_880, "bytes", "JSON body of POST /missions/{missionHandle}/leads"),
  entry("leads", 1_000, "items", "Leads in one POST /missions/{missionHandle}/leads"),
  entry("lead_ids", 1_000, "items", "Leads in one lead.mission.add or lead.mission.remove"),
  entry("suppression_check", 500, "items", "Identifiers in one lead.suppression.check"),
  entry("note", 4_000, "characters", "Text of a note on a lead"),
  entry("depth", maxDepth, "levels", "Nesting of a JSON body"),
  entry("idempotency_key", 255, "characters", "Length of Idempotency-Key, printable ASCII"),
  entry("idempotency_record", 24, "hours", "How long the answer under a key is kept, at least"),
  entry("page_default", defaultLimit, "items", "Items of a page when limit is left out"),
  entry("page_maximum", 100, "items", "Items of a page at most"),
  entry("requests", 300, "requests per minute", "Rate of one key, unless the operator set another"),
  entry("variations", 3, "items", "Candidate texts of a LinkedIn draft"),
  entry("linkedin_message", 8_000, "UTF-16 units", "Text of a LinkedIn message; over 1,900 draws a warning"),
  entry("invitation_note", 300, "UTF-16 units", "Note of an invitation; at most 200 with a free account"),
  entry("search_people", 2_500, "people", "People of one Sales Navigator search"),
  entry("search_url", 8_000, "characters", "Address of a Sales Navigator search"),
  entry("name", 200, "characters", "Names and titles"),
  entry("url", 2_048, "characters", "Addresses"),
  entry("array", 100, "items", "Items of an array, such as references of an offer")
]
