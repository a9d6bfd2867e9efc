import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { Actor } from "../../kernel/command/Actor.ts"
import * as Command from "../../kernel/command/Command.ts"
import { line } from "../../kernel/schema/TextFields.ts"
import { Instant, now } from "../../kernel/schema/Time.ts"
import { IdentityOptions } from "../IdentityOptions.ts"
import { readSuppressible } from "../suppression/readSuppressible.ts"
import { activeSuppression, type Suppressible } from "../suppression/Suppression.ts"
import { SuppressionsRepo } from "../suppression/SuppressionsRepo.ts"

const keyOf = ({ kind, value }: Suppressible): string => `${kind}:${value}`

/** `lead.suppression.check`: says which of many identifiers are suppressed. */
export const CheckSuppressions = Command.make({
  id: "lead.suppression.check",
  title: "Check suppressions",
  summary: "Check whether people or domains are suppressed",
  description:
    "Takes up to 500 email addresses, LinkedIn profiles, domains and lead ids in any mix and says whether each is " +
    "suppressed now, why and until when. Erased people are recognized although none of their data is kept.",
  whenToUse: "Before buying or importing a list, or to find out why a person cannot be contacted.",
  category: "leads",
  risk: "read",
  scope: "leads:read",
  input: Schema.Struct({
    identifiers: Schema.Array(line(4_000))
      .check(Schema.isBetweenLength(1, 500))
      .annotate({ description: "Email addresses, LinkedIn profiles, domains or lead ids, 1 to 500" })
  }),
  output: Schema.Struct({
    results: Schema.Array(
      Schema.Struct({
        identifier: Schema.String.annotate({ description: "The identifier as sent" }),
        kind: Schema.NullOr(Schema.String).annotate({
          description: "The identifier as interpreted; null when it is not valid"
        }),
        suppressed: Schema.Boolean,
        reason: Schema.NullOr(Schema.String),
        until: Schema.NullOr(Instant),
        error: Schema.NullOr(Schema.String).annotate({ description: "Why it is not valid; null when it is" })
      })
    )
  }),
  failures: [],
  outputNotes: [
    "Results are in the order of the identifiers.",
    "A lead id is suppressed if any identifier of the lead is."
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
        const entry = activeSuppression(
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
