/**
 * Reviews an offer as a sceptical prospect would: what is missing or vague, and which links do not work.
 *
 * Deterministic, without any request: the same content gives the same findings in the same order, worst first.
 */
import type { Finding, FindingSeverity } from "../../kernel/schema/Finding.ts"
import type { OfferContent } from "../Offer.ts"
import { addresses } from "./addresses.ts"
import { missingParts } from "./missingParts.ts"
import { addressesOf, textsOf } from "./offerTexts.ts"
import { proof } from "./proof.ts"
import { repeats } from "./repeats.ts"
import { wording } from "./wording.ts"

const ranks: Readonly<Record<FindingSeverity, number>> = { error: 0, warning: 1, info: 2 }

/** Points that a finding takes off the score of 100. */
const weights: Readonly<Record<FindingSeverity, number>> = { error: 25, warning: 8, info: 2 }

/** Maximum findings returned, worst first. */
const maxFindings = 100

/** The result of a check. `score` is a whole number from 0 to 100; 100 without findings. */
interface OfferCheck {
  readonly score: number
  readonly findings: ReadonlyArray<Finding>
}

/** The score of findings. */
export const scoreOf = (findings: ReadonlyArray<Finding>): number =>
  Math.max(0, 100 - findings.reduce((sum, { severity }) => sum + weights[severity], 0))

/** Checks the content of an offer. Takes any content, stored or not. */
export const checkOffer = (offer: OfferContent): OfferCheck => {
  const findings = [
    ...missingParts(offer),
    ...wording(textsOf(offer)),
    ...addresses(addressesOf(offer)),
    ...proof(offer),
    ...repeats(offer)
  ].toSorted((a, b) => ranks[a.severity] - ranks[b.severity])
  return { score: scoreOf(findings), findings: findings.slice(0, maxFindings) }
}
