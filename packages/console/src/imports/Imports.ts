/** Imports as a list shows them. Pure. */
import type { ResultOf } from "../service/shapes.ts"

export type Import = ResultOf<"import.list">["imports"][number]

/** The states with their names. */
export const states: Record<Import["state"], string> = {
  running: "Running",
  completed: "Completed",
  failed: "Failed",
  interrupted: "Interrupted",
  paused: "Paused",
  cancelled: "Cancelled",
  undone: "Undone"
}

/** The name of a state. */
export const stateName = (state: Import["state"]): string => states[state]

/** The tone of a state's label. */
export const stateTone = (state: Import["state"]): string =>
  state === "failed" ? "error" : state === "interrupted" || state === "paused" ? "warning" : ""

/** `120 of 500 rows`; without a maximum, `120 rows`. */
export const rowsRead = ({ progress: { limit, seen } }: Pick<Import, "progress">): string =>
  limit === null ? `${seen} ${seen === 1 ? "row" : "rows"}` : `${seen} of ${limit} rows`

/** `5 created, 2 skipped`: the outcomes that occurred. */
export const outcomes = (one: Import): string => {
  const found = [
    [one.created_count, "created"],
    [one.updated_count, "updated"],
    [one.skipped_count, "skipped"],
    [one.invalid_count, "invalid"]
  ] as const
  return found.flatMap(([count, name]) => (count > 0 ? [`${count} ${name}`] : [])).join(", ") || "No rows yet"
}

const reasonNames: Readonly<Record<string, string>> = {
  INVALID_EMAIL: "Not an email address",
  NOT_A_PROFILE_URL: "Not a LinkedIn profile",
  IDENTIFIER_REQUIRED: "No email address, profile or id",
  IDENTITY_CONFLICT: "Belongs to several leads",
  LEAD_SUPPRESSED: "Must not be contacted",
  INVALID_INPUT: "A value is not valid"
}

/** Why a row was rejected. */
export const reasonName = (code: string | null): string =>
  reasonNames[code ?? ""] ?? (code ?? "").toLowerCase().replaceAll("_", " ")
