/** When an item is sent and why, as a sentence: the same as `svc why` prints. */
import { dayAndTime } from "../queue/times.ts"
import type { Details } from "../service/shapes.ts"

/** The sentence, with the time in the reader's zone. */
export const departureText = ({ leaves_at, summary: { end, start } }: NonNullable<Details["departure"]>): string =>
  leaves_at === null || end === null ? start : `${start}${dayAndTime(leaves_at)}${end}`
