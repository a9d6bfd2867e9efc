/**
 * The sentence by which an organization discloses who writes.
 *
 * A rule of the organization may require it of all texts, or of those that an AI agent wrote. An answer that no person approved
 * must have it in any case.
 */

import type { TextRules } from "../kernel/command/Permission.ts"
import { excerpt } from "../kernel/schema/Finding.ts"
import type { InstantText } from "../kernel/schema/IdsAndTime.ts"
import { comparable } from "../kernel/schema/TextRules.ts"
import { isByAgent } from "./Evidence.ts"
import { DisclosureRequired } from "./failures.ts"
import type { DraftRow, EmailRow, Invitation } from "./Transmission.ts"

/** What is sent, and who stands for it. */
export interface Wording {
  /** The forms of the text, each of which is read; none without a text. */
  readonly texts: ReadonlyArray<string>
  readonly isByAgent: boolean
  /** Whether a person wrote or approved it. */
  readonly isAttended: boolean
}

/** Of a draft's approved text. */
export const wordingOfDraft = (draft: Pick<DraftRow, "approvedBy" | "selectedBodyText" | "steps">): Wording => ({
  texts: draft.selectedBodyText === null ? [] : [draft.selectedBodyText],
  isByAgent: isByAgent(draft.steps),
  isAttended: draft.approvedBy?.actorKind === "USER"
})

/** Of the note of an invitation. */
export const wordingOfInvitation = ({ note, requestedBy }: Pick<Invitation, "note" | "requestedBy">): Wording => ({
  texts: note === null ? [] : [note],
  isByAgent: requestedBy.actorKind === "AI_AGENT",
  isAttended: requestedBy.actorKind === "USER"
})

const entities: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
  "&apos;": "'",
  "&nbsp;": " "
}

/** What a reader of HTML sees, roughly: comments, styles and tags are left out. */
const shownOf = (html: string): string =>
  html
    .replaceAll(/<!--[\s\S]*?-->|<(style|script|title)\b[\s\S]*?<\/\1\s*>/gi, " ")
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/&(?:amp|lt|gt|quot|#39|apos|nbsp);/g, (entity) => entities[entity] ?? entity)

/** Of an e-mail: its plain text, and what is shown of its HTML. */
export const wordingOfEmail = (email: Pick<EmailRow, "bodyHtml" | "bodyText" | "steps">): Wording => {
  const { bodyHtml, bodyText, steps } = email
  const deciding = steps.findLast(({ action }) => action !== "rejected")
  return {
    texts: [bodyText, ...(bodyHtml === null ? [] : [shownOf(bodyHtml)])],
    isByAgent: isByAgent(steps),
    isAttended: deciding?.actor_kind === "USER"
  }
}

const fold = (text: string): string => comparable(text).toLowerCase()

/** Whether a text has the sentence, whatever its case and white space. */
export const discloses = (text: string, disclosure: string): boolean => fold(text).includes(fold(disclosure))

/** Whether a rule requires the sentence of a text. */
export const mustDisclose = ({ disclosure, disclosureFor }: TextRules, byAgent: boolean): boolean =>
  disclosure !== undefined && (disclosureFor !== "ai_agents" || byAgent)

/** DISCLOSURE_REQUIRED when a text must not be sent as it is. */
export const refuseUndisclosed = (
  rules: TextRules,
  lead: { readonly lastInboundAt: InstantText | null },
  { isAttended, isByAgent: byAgent, texts }: Wording
): DisclosureRequired | undefined => {
  const { disclosure } = rules
  const isAnswer = lead.lastInboundAt !== null && !isAttended
  if (texts.length === 0 || !(isAnswer || mustDisclose(rules, byAgent))) return undefined
  if (disclosure === undefined) {
    return new DisclosureRequired({
      message:
        "The lead has written, and no person approved this answer. Let a person approve it, or set a disclosure with " +
        "policy.set and say it in the text."
    })
  }
  if (texts.every((text) => discloses(text, disclosure))) return undefined
  const sentence = excerpt(disclosure)
  return new DisclosureRequired({
    message: isAnswer
      ? `No person approved this answer, so it must say ${sentence}. Add it to the text, or let a person approve it.`
      : `The organization requires that the text says ${sentence}. Add it to the text; policy.get shows the rule.`
  })
}
