/** Imports as a list shows them. Pure. */
import type { ResultOf } from "../service/shapes.ts"

export type Import = ResultOf<"import.list">["imports"][number]

const states: Record<Import["state"], string> = {
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

/** Whether it has yet to end. */
export const isUnderway = ({ state }: Pick<Import, "state">): boolean => state === "running"
