/** The limits of requests, as `svc://limits` shows them. */
import { maxDepth } from "../kernel/schema/Json.ts"
import { defaultLimit } from "../kernel/schema/Page.ts"

/** One limit. `unit` says what `value` counts. */
interface LimitEntry {
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

/** Every limit that a caller can reach. */
export const limits: ReadonlyArray<LimitEntry> = [
  entry("body", 1_048_576, "bytes", "JSON body of a request"),
  entry("leads_body", 5_242_880, "bytes", "JSON body of POST /missions/{missionHandle}/leads"),
  entry("leads", 1_000, "items", "Leads in one POST /missions/{missionHandle}/leads"),
  entry("lead_ids", 1_000, "items", "Leads in one lead.mission.add or lead.mission.remove"),
  entry("suppression_check", 500, "items", "Identifiers in one lead.suppression.check"),
  entry("note", 4_000, "characters", "Text of a note on a lead"),
  entry("depth", maxDepth, "levels", "Nesting of a JSON body"),
  entry("idempotency_key", 255, "characters", "Length of Idempotency-Key, printable ASCII"),
  entry("idempotency_record", 24, "hours", "Minimum time a response is kept under an idempotency key"),
  entry("page_default", defaultLimit, "items", "Default page size"),
  entry("page_maximum", 100, "items", "Maximum page size"),
  entry("requests", 300, "requests per minute", "Requests per key, unless the operator changed it"),
  entry("variations", 3, "items", "Variations of a LinkedIn draft"),
  entry("linkedin_message", 8_000, "UTF-16 units", "Text of a LinkedIn message; over 1,900 causes a warning"),
  entry("invitation_note", 300, "UTF-16 units", "Note of an invitation; at most 200 with a free account"),
  entry("search_people", 2_500, "people", "People per Sales Navigator search"),
  entry("search_url", 8_000, "characters", "URL of a Sales Navigator search"),
  entry("name", 200, "characters", "Names and titles"),
  entry("url", 2_048, "characters", "URLs"),
  entry("array", 100, "items", "Items of an array, such as references of an offer")
]
