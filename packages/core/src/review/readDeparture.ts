/** Reading when one item leaves, and why. */
import * as Effect from "effect/Effect"
import { isSendingHeld } from "../outreach/transmission/SendingHold.ts"
import { SendOptions } from "../outreach/transmission/SendOptions.ts"
import { isOfKind, type TransmissionView } from "../outreach/transmission/TransmissionView.ts"
import { departureOf } from "./departure.ts"
import { leavesAtOf, readDepartures } from "./leaving.ts"
import type { ReviewDetails } from "./ReviewDetails.ts"
import type { ReviewEntry } from "./ReviewEntry.ts"

/** The departure of an item; null unless it is queued. */
export const readDeparture = Effect.fnUntraced(function* (
  entry: ReviewEntry,
  view: TransmissionView | undefined,
  at: string
) {
  if (view === undefined || (view.row.state !== "queued" && view.row.state !== "waiting_relation")) return null
  const none = { position_in_line: null, left_today: null }
  if (!isOfKind("message", "invitation")(view)) {
    const leaves_at = leavesAtOf(entry, new Map(), at)
    const { notBefore } = view.row
    const isClosed = entry.agent !== null && notBefore !== null && (leaves_at === null || leaves_at > notBefore)
    return {
      leaves_at,
      reasons: isClosed ? ["outside working hours"] : [],
      ...none
    } satisfies ReviewDetails["departure"]
  }
  const { departures, usages } = yield* readDepartures(at)
  const { pacing } = yield* SendOptions
  const departure = departureOf({
    row: view.row,
    mission: view.mission?.status ?? null,
    leadTimezone: view.lead.timezone,
    position: view.position,
    usage: usages.find(({ accountId }) => accountId === view.row.accountId),
    leavesAt: departures.get(view.row.id)?.leavesAt,
    paced: pacing,
    held: yield* isSendingHeld,
    at
  })
  return (
    departure && {
      leaves_at: departure.leavesAt,
      reasons: departure.reasons,
      position_in_line: departure.positionInLine,
      left_today: departure.leftToday
    }
  )
})
