/** The findings of the texts of a stored draft. */
import type { CheckFacts } from "../DraftChecksRepo.ts"
import { isByAgent } from "../Provenance.ts"
import { type MessageContext, readMessage, type TextFinding } from "./checkMessage.ts"
import { evidenceFindings, factsOfText } from "./evidenceFindings.ts"
import { disclosureFindings, missingEvidence } from "./requiredFindings.ts"

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
