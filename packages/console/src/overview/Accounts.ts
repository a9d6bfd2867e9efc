/** Accounts with their usage and what they send next. Pure. */
import { dayAndTime } from "../queue/times.ts"
import type { ResultOf } from "../service/shapes.ts"

type Usage = ResultOf<"linkedin.usage.get">
type Forecast = ResultOf<"linkedin.queue.forecast">
export type UsageWindow = Usage["windows"][number]
export type ForecastDay = Forecast["days"][number]

/** Accounts of the forecast in its order, then those that are known from their usage only. */
export const accountsOf = (usage: Usage | undefined, forecast: Forecast | undefined) => {
  const names = new Map((forecast?.days ?? []).map(({ account }) => [account.account_id, account.name]))
  const ids = new Set([...names.keys(), ...(usage?.windows ?? []).map(({ account_id }) => account_id)])
  return Array.from(ids, (id) => ({
    id,
    name: names.get(id) ?? id,
    windows: (usage?.windows ?? []).filter(({ account_id }) => account_id === id),
    days: (forecast?.days ?? []).filter(({ account }) => account.account_id === id)
  }))
}

const actions: Record<UsageWindow["action"], string> = {
  message: "Messages",
  invitation: "Invitations",
  invitation_with_note: "Invitations with a note",
  withdrawal: "Withdrawals",
  profile_view: "Profile look-ups",
  search: "Search pages"
}

/** `Messages, 24 hours`. */
export const windowName = ({ action, window }: Pick<UsageWindow, "action" | "window">): string =>
  `${actions[action]}, ${window === "day" ? "24 hours" : "7 days"}`

/** `12 of 27`, or `12, no limit`. */
export const ofLimit = (count: number, limit: number | null): string =>
  limit === null ? `${count}, no limit` : `${count} of ${limit}`

/** What an account may no longer do, and until when; empty while it may. */
export const limitNote = (window: UsageWindow): string => {
  const { remaining, resets_gradually_until: until } = window
  if (remaining !== 0) return ""
  return until === null ? "Limit reached." : `Limit reached. Fully available again ${dayAndTime(until)}.`
}

/** What the queue as a whole does after the days that are shown. */
export const laterInWords = ({ later }: Pick<Forecast, "later">): string =>
  later === 0 ? "" : `${later} more will be sent after the next seven days.`
