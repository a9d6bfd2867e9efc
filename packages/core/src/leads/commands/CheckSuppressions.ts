import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { Actor } from "../../Actor.ts"
import * as Command from "../../Command.ts"
import { line } from "../../TextFields.ts"
import { Instant, now } from "../../Time.ts"
import { IdentityOptions } from "../IdentityOptions.ts"
import { readSuppressible } from "../suppression/readSuppressible.ts"
import { type Suppressible, strongest } from "../suppression/Suppression.ts"
import { SuppressionsRepo } from "../suppression/SuppressionsRepo.ts"

const keyOf = ({ kind, value }: Suppressible): string => `${kind}:${value}`

/** `lead.suppression.check`: says which of many identifiers are suppressed. */
export const CheckSuppressions = Command.make({
  id: "lead.suppression.check",
  title: "Check suppressions",
  summary: "See which of up to 500 people or domains must not be contacted.",
  description:
    "Takes e-mail addresses, LinkedIn profiles, domains and lead ids, mixed, and says of each whether it is suppressed now, " +
    "why and until when. People who were erased are recognised without anything being kept of them.",
  whenToUse: "Before buying or importing a list, or to tell why somebody cannot be written to.",
  category: "leads",
  risk: "read",
  scope: "leads:read",
  input: Schema.Struct({
    identifiers: Schema.Array(line(4_000))
      .check(Schema.isBetweenLength(1, 500))
      .annotate({ description: "E-mail addresses, LinkedIn profiles, domains or lead ids, 1 to 500" })
  }),
  output: Schema.Struct({
    results: Schema.Array(
      Schema.Struct({
        identifier: Schema.String.annotate({ description: "As it was sent" }),
        kind: Schema.NullOr(Schema.String).annotate({ description: "How it was understood; null when it was not" }),
        suppressed: Schema.Boolean,
        reason: Schema.NullOr(Schema.String),
        until: Schema.NullOr(Instant),
        error: Schema.NullOr(Schema.String).annotate({ description: "Why it cannot be used; null when it can" })
      })
    )
  }),
  outputNotes: [
    "Results are in the order of the identifiers.",
    "A lead id is suppressed by any identifier of the lead."
  ],
  relatedCommands: ["lead.suppress", "lead.suppression.lift", "lead.get"],
  relatedResources: ["svc://suppressions"],
  examples: [
    {
      title: "Two people and a domain",
      input: { identifiers: ["grace@example.com", "opt-out@example.com", "example.org"] }
    }
  ],
  run: Effect.fnUntraced(function* ({ identifiers }) {
    const { organizationId } = yield* Actor
    const options = yield* IdentityOptions
    const read = identifiers.map((identifier) => ({ identifier, meant: readSuppressible(identifier, options) }))
    const all = read.flatMap(({ meant }) => (Result.isSuccess(meant) ? meant.success : []))
    const asked = [...new Map(all.map((one) => [keyOf(one), one])).values()]
    const found = asked.length === 0 ? [] : yield* (yield* SuppressionsRepo).find(organizationId, asked)
    const at = yield* now
    return {
      results: read.map(({ identifier, meant }) => {
        if (Result.isFailure(meant)) {
          return { identifier, kind: null, suppressed: false, reason: null, until: null, error: meant.failure.message }
        }
        const keys = new Set(meant.success.map(keyOf))
        const entry = strongest(
          found.filter((match) => keys.has(keyOf(match))).map((match) => match.entry),
          at
        )
        return {
          identifier,
          kind: meant.success[0]?.kind ?? null,
          suppressed: entry !== undefined,
          reason: entry?.reason ?? null,
          until: entry?.until ?? null,
          error: null
        }
      })
    }
  })
})
