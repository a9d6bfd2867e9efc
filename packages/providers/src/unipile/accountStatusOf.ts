/** The provider's account statuses. */
import type { AccountStatus } from "@svc/core/outreach"

const statuses: ReadonlyMap<string, AccountStatus> = new Map([
  ["OK", "OK"],
  ["CREATION_SUCCESS", "OK"],
  ["RECONNECTED", "OK"],
  ["SYNC_SUCCESS", "OK"],
  ["CONNECTING", "CONNECTING"],
  ["CREDENTIALS", "CREDENTIALS"],
  ["PERMISSIONS", "CREDENTIALS"],
  ["STOPPED", "STOPPED"],
  ["ERROR", "ERROR"],
  ["RESTRICTED", "RESTRICTED"]
])

/** Our status for one of the provider's; undefined for an unknown one. */
export const accountStatusOf = (word: string): AccountStatus | undefined =>
  statuses.get(word.slice(0, 40).toUpperCase())
