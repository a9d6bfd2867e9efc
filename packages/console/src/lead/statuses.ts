/** The statuses of leads as people read them. */
import type { InputOf } from "../service/shapes.ts"

export type LeadStatus = InputOf<"lead.status.set">["status"]

/** Every status, with its name. */
export const statuses: ReadonlyArray<readonly [LeadStatus, string]> = [
  ["New", "New"],
  ["Contacted", "Contacted"],
  ["Waiting", "Waiting"],
  ["Replied", "Replied"],
  ["Interested", "Interested"],
  ["MeetingBooked", "Meeting booked"],
  ["NotInterested", "Not interested"],
  ["DoNotContact", "Do not contact"]
]

/** The name of a status. */
export const statusText = (status: string): string => statuses.find(([one]) => one === status)?.[1] ?? status
