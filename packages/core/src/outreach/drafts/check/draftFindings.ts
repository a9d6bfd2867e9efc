/** The findings of the texts of a stored draft. */

import type { TextRules } from "../../../kernel/command/Permission.ts"
import { excerpt } from "../../../kernel/schema/Finding.ts"
import { discloses, mustDisclose } from "../../transmission/disclosure.ts"
import type { CheckFacts } from "../DraftsRepo.ts"
import { isByAgent } from "../Evidence.ts"
import { found, type MessageContext, readMessage, type TextFinding } from "./checkMessage.ts"
import { claimsOf } from "./claims.ts"
import { type EvidencedDraft, evidenceFindings, factsOfText, standingClaims } from "./evidenceFindings.ts"
import type { FactRecords } from "./references.ts"

/** The finding of a text without the sentence that it must contain. */
export const disclosureFindings = (rules: TextRules, byAgent: boolean, text: string): ReadonlyArray<TextFinding> => {
  const { disclosure } = rules
  if (disclosure === undefined || !mustDisclose(rules, byAgent) || discloses(text, disclosure)) return []
  const problem = `The organization requires the sentence ${excerpt(disclosure)}.`
  return [found("error", "disclosure_missing", problem, "Add it to the text.")]
}

const inside = (text: string, quote: string, claims: ReadonlyArray<string>): boolean => {
  const start = text.indexOf(quote)
  return claims.some((claim) => {
    const from = text.indexOf(claim)
    return from <= start && start + quote.length <= from + claim.length
  })
}

/** The findings of a text without the evidence that it must have. */
const missingEvidence = (
  { evidence }: TextRules,
  draft: EvidencedDraft,
  index: number | null,
  text: string
): ReadonlyArray<TextFinding> => {
  if (evidence === undefined) return []
  const claims = standingClaims(draft, index, text)
  const hint = "Send evidence with linkedin.draft.update."
  if (evidence === "any") {
    const problem = "The organization requires evidence, and this text has none."
    return claims.length > 0 ? [] : [found("error", "evidence_missing", problem, hint)]
  }
  return claimsOf(text)
    .filter(({ text: quote }) => !inside(text, quote, claims))
    .map(({ text: quote }) =>
      found("error", "evidence_missing", `The organization requires evidence for ${excerpt(quote)}.`, hint, {
        text,
        quote
      })
    )
}

/** The first error of the evidence of a text, when the organization requires evidence. */
export const lackingEvidence = (
  rules: TextRules,
  draft: EvidencedDraft,
  index: number | null,
  text: string,
  records: FactRecords
): TextFinding | undefined =>
  rules.evidence === undefined
    ? undefined
    : [
        ...missingEvidence(rules, draft, index, text),
        ...evidenceFindings(draft, index, text, records).filter(({ severity }) => severity === "error")
      ][0]

/** What is known beside the texts, as the rules take it. */
export const contextOf = ({
  lead,
  mission,
  others
}: Pick<CheckFacts, "lead" | "mission" | "others">): MessageContext => ({
  lead,
  language: mission?.language,
  support:
    mission === undefined
      ? undefined
      : {
          texts: [...(mission.offer ?? []), ...mission.brief, ...(lead?.texts ?? [])],
          hasOffer: mission.offer !== undefined
        },
  others
})

/** A text of a draft; `index` is that of its variation, null when it is the approved text. */
interface CheckedText {
  readonly path: string
  readonly index: number | null
  readonly text: string
}

/** The texts of a draft to check: what was approved, else every variation. */
const checkedTexts = (draft: CheckFacts["draft"]): ReadonlyArray<CheckedText> =>
  draft?.selectedBodyText != null
    ? [{ path: "selected_body_text", index: null, text: draft.selectedBodyText }]
    : (draft?.variations ?? []).map((text, index) => ({ path: `variations[${index}].body_text`, index, text }))

/** A finding and which text it is about. */
export interface DraftFinding extends TextFinding {
  readonly path: string
  readonly index: number | null
}

/** The findings of a draft. Its evidence supports figures too. */
export const findingsOf = (facts: CheckFacts): ReadonlyArray<DraftFinding> => {
  const { draft, records, rules } = facts
  const context = contextOf(facts)
  return checkedTexts(draft).flatMap(({ index, path, text }) => {
    const { support } = context
    const own = draft === undefined ? [] : factsOfText(draft, index, records)
    const supported = support && { ...support, texts: [...support.texts, ...own] }
    const ofEvidence = draft === undefined ? [] : evidenceFindings(draft, index, text, records)
    // A figure that its own evidence lacks is said once.
    const said = new Set(ofEvidence.map(({ start }) => start))
    const ofText = readMessage(text, { ...context, support: supported }).filter(
      ({ code, start }) => code !== "unsupported_claim" || start === null || !said.has(start)
    )
    return [
      ...ofText,
      ...ofEvidence,
      ...disclosureFindings(rules, isByAgent(draft?.steps ?? []), text),
      ...(draft === undefined ? [] : missingEvidence(rules, draft, index, text))
    ].map((finding) => ({ ...finding, path, index }))
  })
}
