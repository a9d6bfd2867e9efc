/** What happened with a lead, in words. Pure. */
import { statusText } from "../lead/statuses.ts"
import { camelCase } from "../missions/fields.ts"
import { dateAndTime } from "../queue/times.ts"
import { capital } from "../text/capital.ts"
import { factFields, type Happening } from "./facts.ts"
import { ownPrefix } from "./ownFields.ts"

/** Where the words of the type would not do. */
const names: Readonly<Record<string, string>> = {
  "lead.follow_up_due": "Follow-up is due",
  "lead.merged": "Merged with another record",
  "lead.unsuppressed": "May be contacted again",
  "draft.dispatched": "Message sent",
  "draft.dispatch_failed": "Message not sent",
  "draft.dispatch_unknown": "Unknown whether the message was sent",
  "draft.reopened": "Draft taken back to review",
  "email.unknown": "Unknown whether the email was sent"
}

const labelOf = (key: unknown): string =>
  factFields.find(({ name }) => camelCase(name) === key)?.label ??
  String(key).replace(ownPrefix, "").replaceAll("_", " ")

/** What happened, as one sentence without a full stop. */
export const happeningName = ({ data, type }: Happening): string => {
  if (type === "message") {
    const channel = data["channel"] === "EMAIL" ? "Email" : "LinkedIn message"
    return `${channel} ${data["direction"] === "inbound" ? "received" : "sent"}`
  }
  if (type === "lead.created") return data["import_id"] === undefined ? "Added" : "Imported"
  if (type === "lead.updated") return `Changed: ${[data["changed"]].flat().map(labelOf).join(", ").toLowerCase()}`
  if (type === "lead.status_changed")
    return `Status: ${statusText(String(data["from"]))} → ${statusText(String(data["to"]))}`
  if (type === "lead.suppressed")
    return `Excluded from contact${typeof data["until"] === "string" ? ` until ${dateAndTime(data["until"])}` : ""}`
  const words = type.replace(/^lead\./, "").replaceAll(/[._]/g, " ")
  return names[type] ?? capital(words)
}

/** What was written or given as a reason. */
export const happeningText = ({ data }: Happening): string => {
  const text = data["content"] ?? data["text"] ?? data["reason"] ?? data["instructions"]
  return typeof text === "string" ? text : ""
}

const actions: Readonly<Record<string, string>> = {
  reply_waiting: "Waits for an answer",
  ambiguous_send: "Check whether the message was sent",
  rewrite_requested: "Waits for a new version",
  draft_to_review: "Draft to review",
  follow_up_due: "Follow-up is due",
  invite_accepted: "Accepted, not written to yet",
  draft_missing: "Needs a draft",
  enrich: "Profile is incomplete",
  stale: "No reply for a week"
}

/** What waits to be done with a lead. */
export const actionName = (kind: string): string => actions[kind] ?? kind
