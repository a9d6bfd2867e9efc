/** The findings of the texts of a stored draft. */

import * as Effect from "effect/Effect"
import { Actor } from "../../kernel/command/Execution.ts"
import type { TextRules } from "../../kernel/command/Permission.ts"
import { excerpt } from "../../kernel/schema/Finding.ts"
import type { DraftId } from "../../kernel/schema/IdsAndTime.ts"
import { type CheckFacts, DraftsRepo } from "../DraftsRepo.ts"
import { discloses, mustDisclose } from "../disclosure.ts"
import { isByAgent, isStale } from "../Evidence.ts"
import type { EvidencedDraft } from "../Transmission.ts"
import { found, type MessageContext, nounCapitals, readMessage, type TextFinding, wordsOf } from "./checkMessage.ts"
import { claimsOf, numbersOf } from "./claims.ts"
import { type FactRecords, factOf } from "./references.ts"

const year = /(?<![\p{L}\p{N}.,])(?:19|20)\d{2}(?![\p{L}\p{N}])/gu
const name = /(?<=[\p{L}\p{N},;:)"'’]\s+)\p{Lu}[\p{L}\p{M}\p{N}]+/gu

/** The parts of a claim that must be in its facts. */
const openParts = (claim: string, facts: ReadonlyArray<string>, known: ReadonlyArray<string>, language: string) => {
  const numbers = new Set(facts.flatMap((fact) => [...numbersOf(fact)]))
  const words = new Set([...facts, ...known].flatMap(wordsOf))
  const figures = [
    ...claimsOf(claim, 0).map(({ text, value }) => ({ text, value })),
    ...Array.from(claim.matchAll(year), ([text]) => ({ text, value: Number(text) }))
  ]
  const names = nounCapitals.test(language) ? [] : Array.from(claim.matchAll(name), ([text]) => text)
  return {
    figures: figures.filter(({ value }) => !numbers.has(value)).map(({ text }) => text),
    names: names.filter((text) => wordsOf(text).some((word) => !words.has(word)))
  }
}

const listed = (references: ReadonlyArray<string>): string => references.join(" or ")

/** The evidence that is about a text, with its place in the list; `index` is that of the variation, null for the approved text. */
const evidenceOfText = (draft: EvidencedDraft, index: number | null) =>
  draft.evidence
    .map((item, position) => ({ item, path: `evidence[${position}]` }))
    .filter(({ item }) => (index ?? draft.selectedIndex ?? item.variation_index) === item.variation_index)

/** The claims with evidence that a text has. */
const standingClaims = (draft: EvidencedDraft, index: number | null, text: string): ReadonlyArray<string> =>
  evidenceOfText(draft, index).flatMap(({ item }) =>
    !isStale(item, draft) && text.includes(item.claim) ? [item.claim] : []
  )

/** The texts of the facts that the claims of a text rest on. */
const factsOfText = (draft: EvidencedDraft, index: number | null, records: FactRecords): ReadonlyArray<string> =>
  evidenceOfText(draft, index).flatMap(({ item }) =>
    isStale(item, draft) ? [] : item.references.flatMap((reference) => factOf(reference, records) ?? [])
  )

/** The findings of a text's evidence, in the order of the evidence. */
const evidenceFindings = (
  draft: EvidencedDraft,
  index: number | null,
  text: string,
  records: FactRecords
): ReadonlyArray<TextFinding> =>
  evidenceOfText(draft, index).flatMap(({ item, path }): ReadonlyArray<TextFinding> => {
    const { claim, references } = item
    if (isStale(item, draft) || !text.includes(claim)) {
      const problem = `The claim of ${path}, ${excerpt(claim)}, is no longer in this text.`
      return [found("warning", "evidence_stale", problem, "Send evidence for the text as it is.")]
    }
    const place = { text, quote: claim }
    const unknown = references.filter((reference) => factOf(reference, records) === undefined)
    if (unknown.length > 0) {
      const problem = `${path}: ${listed(unknown)} is not known of this lead and its offer.`
      return [found("error", "evidence_unknown", problem, "Correct the reference, or remove the claim.", place)]
    }
    const facts = references.flatMap((reference) => factOf(reference, records) ?? [])
    const { lead, mission, offer } = records
    const known = [lead?.name ?? "", lead?.company ?? "", offer?.name ?? ""]
    const open = openParts(claim, facts, known, mission?.language ?? "")
    const start = text.indexOf(claim)
    const within = (quote: string) => {
      const from = start + claim.indexOf(quote)
      return { start: from, end: from + quote.length }
    }
    const missing = (quote: string) => `${excerpt(quote)} is not in ${listed(references)}, its evidence.`
    return [
      ...open.figures.map((quote) => ({
        ...found("error", "evidence_mismatch", missing(quote), "Correct the figure, or name the fact that has it."),
        ...within(quote)
      })),
      ...open.names.map((quote) => ({
        ...found("warning", "evidence_mismatch", missing(quote), "Correct the name, or name the fact that has it."),
        ...within(quote)
      }))
    ]
  })

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

/** The findings of stored drafts, by id. */
export const readFindings = Effect.fnUntraced(function* (draftIds: ReadonlyArray<DraftId>) {
  const { organizationId } = yield* Actor
  const requests = draftIds.map((draftId) => ({ draftId }))
  const facts = requests.length === 0 ? [] : yield* (yield* DraftsRepo).facts(organizationId, requests)
  return new Map(facts.map((fact, place) => [draftIds[place], findingsOf(fact)]))
})
