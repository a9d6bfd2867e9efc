/**
 * Comparing claims with the facts that are given as their evidence.
 *
 * Figures and years of a claim must be in one of its facts, and so must names: words with a capital that begin no sentence.
 * Where nouns have capitals, names are not compared.
 */
import { excerpt } from "../../../kernel/schema/Finding.ts"
import type { DraftRow } from "../DraftRow.ts"
import { isStale } from "../Evidence.ts"
import { found, nounCapitals, type TextFinding, wordsOf } from "./checkMessage.ts"
import { claimsOf, numbersOf } from "./claims.ts"
import { type FactRecords, factOf } from "./references.ts"

/** A draft with evidence. */
export type EvidencedDraft = Pick<DraftRow, "leadId" | "agentId" | "variations" | "selectedIndex" | "evidence">

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
export const standingClaims = (draft: EvidencedDraft, index: number | null, text: string): ReadonlyArray<string> =>
  evidenceOfText(draft, index).flatMap(({ item }) =>
    !isStale(item, draft) && text.includes(item.claim) ? [item.claim] : []
  )

/** The texts of the facts that the claims of a text rest on. */
export const factsOfText = (draft: EvidencedDraft, index: number | null, records: FactRecords): ReadonlyArray<string> =>
  evidenceOfText(draft, index).flatMap(({ item }) =>
    isStale(item, draft) ? [] : item.references.flatMap((reference) => factOf(reference, records) ?? [])
  )

/** The findings of a text's evidence, in the order of the evidence. */
export const evidenceFindings = (
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
