/** States, rates and sources in words. Pure. */
import type { ResultOf } from "../service/shapes.ts"

/** What people read for a code: `Sales Navigator` for `SALES_NAVIGATOR`. */
export const titleCase = (code: string): string =>
  code
    .split("_")
    .map((word) => `${word[0]}${word.slice(1).toLowerCase()}`)
    .join(" ")

export type Account = ResultOf<"linkedin.account.list">["accounts"][number]

const health: Readonly<Record<Account["status"], string>> = {
  OK: "Connected",
  CONNECTING: "Connecting",
  CREDENTIALS: "Needs signing in again",
  STOPPED: "Disconnected",
  ERROR: "Not working",
  RESTRICTED: "Restricted by LinkedIn"
}

/** The health of a LinkedIn account. */
export const accountHealth = (status: Account["status"]): string => health[status]

const number = new Intl.NumberFormat("en-GB")

/** `12 of 80, 15 %`; without cases there is no rate. */
export const rate = (part: number, whole: number): string =>
  whole === 0 ? "" : `${number.format(part)} of ${number.format(whole)}, ${Math.round((100 * part) / whole)} %`

/** `1 lead`, `1,200 leads`. */
export const counted = (count: number, one: string): string => `${number.format(count)} ${one}${count === 1 ? "" : "s"}`

/** The name of a channel. */
export const channelName = (channel: string): string => (channel === "EMAIL" ? "Email" : "LinkedIn")

type Interval = Readonly<Record<"rate" | "low" | "high", number>> | null

const percent = (rate: number): string => String(Math.round(100 * rate))

/** `12 % (5 – 24 %), 9 of 75`: a rate with its interval; a dash without cases. */
export const rateBetween = (interval: Interval, part: number, whole: number): string =>
  interval === null
    ? "–"
    : `${percent(interval.rate)} % (${percent(interval.low)} – ${percent(interval.high)} %), ${number.format(part)} of ${number.format(whole)}`
