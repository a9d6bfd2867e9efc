/** The list of missions, as REST shows them: with their state. */
import type { RestMission } from "@svc/core/missions"
import { listing } from "../place/Listing.ts"
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
    return found.ok ? { ...found, data: { items: found.data.missions, next_cursor: found.data.nextCursor } } : found
  }
)
