/** States, rates and sources in words. Pure. */
import type { RestMission } from "@svc/core/missions"
import type { ResultOf } from "../service/shapes.ts"

const missionStates: Readonly<Record<RestMission["status"], string>> = {
  DRAFT: "Draft",
  ACTIVE: "Active",
  PAUSED: "Paused",
  COMPLETED: "Completed",
  ARCHIVED: "Archived"
}

/** The name of a mission's state. */
export const missionState = (status: RestMission["status"]): string => missionStates[status]

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

const tiers: Readonly<Record<Account["tier"], string>> = {
  FREE: "Free",
  PREMIUM: "Premium",
  SALES_NAVIGATOR: "Sales Navigator"
}

/** The name of a subscription. */
export const tierName = (tier: Account["tier"]): string => tiers[tier]

const number = new Intl.NumberFormat("en-GB")

/** `12 of 80, 15 %`; without cases there is no rate. */
export const rate = (part: number, whole: number): string =>
  whole === 0 ? "" : `${number.format(part)} of ${number.format(whole)}, ${Math.round((100 * part) / whole)} %`

/** `1 lead`, `1,200 leads`. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${number.format(count)} ${count === 1 ? one : many}`
