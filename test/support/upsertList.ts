/** Writing leads as commands do, without the command: a list of one, or an import's longer list. */

import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { LeadUpsertInput } from "#core/leads/Lead.ts"
import type { IdentifiedLead, UpsertOptions } from "#core/leads/planUpsert.ts"
import { bulk, identifyLead, upsertLeads, withConsequences } from "#core/leads/upsertLeads.ts"

const present = <A>(outcome: A | undefined): A => {
  if (outcome === undefined) throw new Error("an item was left out")
  return outcome
}

/** Writes one lead; fails with its refusal. */
export const upsertOne = (input: LeadUpsertInput, options: UpsertOptions) => {
  const item = Result.map(identifyLead(input, { deriveMemberId: true }, []), (lead) => ({ ...lead, options }))
  const written = upsertLeads([item], { locks: "wait", after: withConsequences })
  return Effect.flatMap(written, ([outcome]) => Effect.fromResult(present(outcome)))
}

/** Writes leads as an import does, and returns the outcome of each. */
export const upsertMany = (leads: ReadonlyArray<IdentifiedLead>, mission?: string) => {
  const options = { source: "import", mission } as const
  const written = upsertLeads(
    leads.map((lead) => Result.succeed({ ...lead, options })),
    bulk
  )
  return Effect.map(written, (outcomes) => outcomes.map(present))
}
