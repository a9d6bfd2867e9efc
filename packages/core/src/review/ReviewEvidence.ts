/** Evidence with the facts themselves, for a reviewer. */
import * as Schema from "effect/Schema"
import type { ActorIdentity } from "../kernel/command/Actor.ts"
import { hasScope } from "../kernel/command/Policy.ts"
import type { Scope } from "../kernel/command/Scope.ts"
import { shorten, shortLength } from "../kernel/schema/shorten.ts"
import { type FactRecords, factOf } from "../outreach/drafts/check/references.ts"
import type { DraftRow } from "../outreach/drafts/DraftRow.ts"
import { Evidence, evidenceOf } from "../outreach/drafts/Evidence.ts"

/** See above. */
export const ReviewEvidence = Schema.Array(
  Schema.Struct({
    ...Evidence.value.fields,
    facts: Schema.Array(Schema.NullOr(Schema.String)).annotate({
      description: `The facts of the references, each cut to ${shortLength} characters; null if unknown or not covered by your scopes`
    })
  })
)

const scopeOf = (reference: string): Scope => {
  if (reference.startsWith("offer.")) return "offers:read"
  return reference.startsWith("brief.") ? "missions:read" : "leads:read"
}

/** The evidence of a draft, with the facts that the actor may read. */
export const reviewEvidence = (actor: ActorIdentity, row: DraftRow, records: FactRecords): typeof ReviewEvidence.Type =>
  evidenceOf(row).map((item) => ({
    ...item,
    facts: item.references.map((reference) => {
      const fact = hasScope(actor, scopeOf(reference)) ? factOf(reference, records) : undefined
      return fact === undefined ? null : shorten(fact.replaceAll(/\s+/g, " "))
    })
  }))
