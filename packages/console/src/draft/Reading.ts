/** What is read of an item: its texts, whatever its kind. Pure. */
import type { Details, Finding } from "../service/shapes.ts"
import { inputText } from "./inputText.ts"

/** The texts to choose from; one for everything but drafts with several variations. */
export const textsOf = (details: Details): ReadonlyArray<string> => {
  const { approval, draft, email, invitation, thread } = details
  if (draft !== null) {
    return draft.selected_body_text === null
      ? draft.variations.map(({ body_text }) => body_text)
      : [draft.selected_body_text]
  }
  if (email !== null) return [email.body_text]
  if (approval !== null) return [inputText(approval.input ?? {})]
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

/** Whether it may be approved in a batch: it has no errors or warnings (hints are none), and there is one text to approve. */
export const isClean = (details: Details): boolean =>
  isReviewable(details) &&
  details.findings.every(({ severity }) => severity === "info") &&
  textsOf(details).length === 1

/** The name of what it is. */
export const nounOf = (kind: Details["item"]["kind"]): string =>
  ({ message: "message", invitation: "invitation", email: "email", approval: "approval request", reply: "reply" })[kind]
