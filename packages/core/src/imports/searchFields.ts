/** The input fields and notes that every import of a search has. Source: G20. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { body, nonEmptyLine } from "../TextFields.ts"
import { missionFields } from "./missionToFill.ts"

const optional = Schema.optionalKey

const whole = (minimum: number, maximum: number, otherwise: number, description: string) =>
  Schema.Int.check(Schema.isBetween({ minimum, maximum }))
    .annotate({ description })
    .pipe(Schema.withDecodingDefaultKey(Effect.succeed(otherwise)))

/** How many people are read at most; `maximum` is what the search can show. */
export const peopleLimit = (maximum: number) =>
  whole(1, maximum, 100, `How many people to read at most, 1 to ${maximum.toLocaleString("en")}; default 100`)

/** Where the people go, with which account, and how long the caller waits. */
export const searchFields = {
  ...missionFields,
  name: optional(nonEmptyLine(200, "Name of the import; made of keywords or filters and the date if left out")),
  context: optional(body(2_000, "Your own note about the import, shown with it")),
  account_id: optional(nonEmptyLine(64, "LinkedIn account to search with; that of the mission's agent if left out")),
  refresh: Schema.Boolean.annotate({
    description: "Go on with an earlier import of this search instead of answering it as it is"
  }).pipe(Schema.withDecodingDefaultKey(Effect.succeed(false))),
  wait_seconds: whole(0, 25, 20, "How long to wait for the end, 0 to 25 seconds; default 20")
}

/** What to consider before one is run. */
export const searchRisks = [
  "Reads LinkedIn with a connected account, which counts against the limits of that account.",
  "Creates and updates leads; contacts nobody."
]

/** What its answer says. */
export const searchNotes = [
  "created + updated + skipped + invalid are the people seen; updated_ids are the leads that changed.",
  "already_exists says that the mission had an import of this search before; message says when, or running, or why it stopped."
]
