/** What is read of an item: its texts, whatever its kind. Pure. */
import type { Details, Finding } from "../service/shapes.ts"
import { capital } from "../text/capital.ts"

const labelOf = (name: string): string =>
  capital(
    name
      .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
      .replaceAll("_", " ")
      .toLowerCase()
  )

const isPlain = (value: unknown): value is string | number | boolean =>
  ["string", "number", "boolean"].includes(typeof value)

type Names = Readonly<Record<string, string>>

const valueOf = (value: unknown, names: Names): string => {
  if (value === null) return "none"
  if (typeof value === "boolean") return value ? "yes" : "no"
  if (isPlain(value)) return names[String(value)] === undefined ? String(value) : `${names[String(value)]} (${value})`
  if (Array.isArray(value) && value.every(isPlain)) return value.map((one) => valueOf(one, names)).join(", ")
  return JSON.stringify(value, null, 2)
}

/** An input in words, ids with their names; texts of several lines begin on a line of their own. */
export const inputText = (input: object, names: Names = {}): string =>
  Object.entries(input)
    .map(([name, value]) => {
      const text = valueOf(value, names)
      return `${labelOf(name)}:${text.includes("\n") ? "\n" : " "}${text}`
    })
    .join("\n")

/** The texts to choose from; one for everything but drafts with several variations. */
export const textsOf = (details: Details): ReadonlyArray<string> => {
  const { approval, draft, email, invitation, thread } = details
  if (draft !== null) {
    return draft.selected_body_text === null
      ? draft.variations.map(({ body_text }) => body_text)
      : [draft.selected_body_text]
  }
  if (email !== null) return [email.body_text]
  if (approval !== null) return [inputText(approval.input ?? {}, approval.names)]
  if (invitation !== null) return [details.item.preview]
  return [thread.findLast(({ direction }) => direction === "inbound")?.text ?? details.item.preview]
}

/** The findings of one text. Those of the approved text have no variation. */
export const findingsOf = (details: Details, variation: number): ReadonlyArray<Finding> =>
  details.findings.filter(({ variation_index }) => variation_index === null || variation_index === variation)

/** Whether a person can decide on it. */
export const isReviewable = ({ item }: Pick<Details, "item">): boolean =>
  item.kind === "approval"
    ? item.state === "pending"
    : ["in_review", "failed", "snoozed", "rewriting"].includes(item.state)

/** Whether it can be taken back to review: it was decided on, and not sent. */
export const canWithdraw = ({ state }: Details["item"]): boolean =>
  ["queued", "waiting_relation", "blocked", "rejected", "cancelled"].includes(state)

/** Whether it may be approved in a batch: it has no errors or warnings (hints are none), and there is one text to approve. */
export const isClean = (details: Details): boolean =>
  isReviewable(details) &&
  details.findings.every(({ severity }) => severity === "info") &&
  textsOf(details).length === 1

/** The name of what it is. */
export const nounOf = (kind: Details["item"]["kind"]): string =>
  ({ message: "message", invitation: "invitation", email: "email", approval: "approval request", reply: "reply" })[kind]
