/**
 * The provider's words for the health of an account. Source: mission research 5.2, accounts and account_status.
 */
import type { AccountStatus } from "@svc/core/linkedin/LinkedInAccount"

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

/** Our status for a word of the provider, undefined for one that is not known. */
export const accountStatusOf = (word: string): AccountStatus | undefined =>
  statuses.get(word.slice(0, 40).toUpperCase())
