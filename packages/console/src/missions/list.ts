/** The list of missions, as REST shows them: with their state. */
import type { RestMission } from "@svc/core/missions"
import { listing } from "../place/Listing.ts"
import { mapOutcome } from "../service/outcome.ts"
import { request } from "../service/request.ts"

/** The missions, newest first. */
export const list = listing<RestMission>(
  ({ id }) => id,
  /^(mission\.|lead\.mission)/,
  async ({ query, status }, { cursor, limit }) => {
    const given = Object.entries({ limit: String(limit), cursor, query, status }).filter(
      ([, value]) => value !== undefined
    )
    const found = await request<{ missions: ReadonlyArray<RestMission>; nextCursor: string | null }>(
      "GET",
      `/api/v1/missions?${new URLSearchParams(given as Array<[string, string]>)}`
    )
    return mapOutcome(found, ({ missions, nextCursor }) => ({ items: missions, next_cursor: nextCursor }))
  }
)
