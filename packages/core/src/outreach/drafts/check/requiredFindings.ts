/** What an organization requires of the texts of drafts: its disclosure, and evidence. */
import type { TextRules } from "../../../kernel/command/Permission.ts"
import { excerpt } from "../../../kernel/schema/Finding.ts"
import { discloses, mustDisclose } from "../../transmission/disclosure.ts"
import { found, type TextFinding } from "./checkMessage.ts"
import { claimsOf } from "./claims.ts"
import { type EvidencedDraft, evidenceFindings, standingClaims } from "./evidenceFindings.ts"
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
export const missingEvidence = (
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
