/** The leads that the filters of the URL find. */
import { signal } from "@preact/signals"
import { listing } from "../place/Listing.ts"
import { ownFields, readOwn } from "../service/names.ts"
import { mapOutcome } from "../service/outcome.ts"
import { run } from "../service/request.ts"
import type { ResultOf } from "../service/shapes.ts"
import { searchOf } from "./filters.ts"
import { ownPrefix } from "./ownFields.ts"

/** Events that change what is shown of a lead. */
export const leadEvents = /^(lead|draft|email|message|invitation|mission|conversation)\./

export type Found = ResultOf<"lead.search">["leads"][number]

/** How many they find. */
export const total = signal(0)

/** The list. */
export const leads = listing<Found>(
  ({ lead_id }) => lead_id,
  leadEvents,
  async (query, page) => {
    // What the value of an own field means, its kind says.
    if (ownFields.peek().length === 0 && Object.keys(query).join(" ").includes(ownPrefix)) await readOwn()
    const input = { ...searchOf(query, ownFields.peek()), ...page }
    return mapOutcome(await run("lead.search", input), ({ count, leads, next_cursor }) => {
      total.value = count
      return { items: leads, next_cursor }
    })
  }
)
