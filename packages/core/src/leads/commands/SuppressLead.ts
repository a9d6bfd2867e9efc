import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../Command.ts"
import { isoDateTime, nonEmptyLine } from "../../TextFields.ts"
import { Suppression } from "../suppression/Suppression.ts"
import { readWhom, whomFields } from "../suppression/suppressionInput.ts"
import { suppressDomain, suppressPerson } from "../suppression/suppressPerson.ts"

/** `lead.suppress`: keeps people from being contacted. */
export const SuppressLead = Command.make({
  id: "lead.suppress",
  title: "Suppress a person or a domain",
  summary: "Keep a person, or everybody at a domain, from being contacted, for good or for some time.",
  description:
    "Nobody who is suppressed can be drafted or sent to, and imports skip them. A person may be a lead or not be known yet. A " +
    "lead is suppressed with every identifier it has; for good it enters DoNotContact, for some time it keeps its status " +
    "and what waits to be sent goes back to review. What is suppressed for longer is never shortened.",
  whenToUse:
    "When somebody objects, before an import of people who must be left alone, or for customers and competitors.",
  category: "leads",
  risk: "mutate",
  scope: "leads:write",
  input: Schema.Struct({
    ...whomFields,
    reason: nonEmptyLine(500, "Why, in your words"),
    until: Schema.optionalKey(
      isoDateTime.pipe(Schema.annotateEncoded({ description: "When it ends, with offset; left out for good" }))
    )
  }),
  output: Schema.Struct({ suppression: Suppression }),
  riskNotes: [
    "Takes back messages that wait to be sent; for good it cancels drafts too.",
    "Only lead.suppression.lift undoes it."
  ],
  relatedCommands: ["lead.suppression.check", "lead.suppression.lift", "lead.status.set"],
  relatedResources: ["svc://suppressions"],
  examples: [
    { title: "Somebody not known yet", input: { email: "no-mail@example.org", reason: "Asked not to be contacted" } },
    {
      title: "A customer's domain, until next year",
      input: { domain: "example.net", reason: "Customer", until: "2199-01-01T00:00:00Z" }
    }
  ],
  run: Effect.fnUntraced(function* ({ reason, until, ...whom }) {
    const meant = yield* readWhom(whom)
    const terms = { reason, until: until ?? null }
    return {
      suppression: yield* meant._tag === "Domain"
        ? suppressDomain(meant.domain, terms)
        : suppressPerson(meant.fields, terms)
    }
  })
})
