import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../kernel/command/Command.ts"
import { InvalidEmail, NotFound } from "../../kernel/failure/failures.ts"
import { isoDateTime, nonEmptyLine } from "../../kernel/schema/TextFields.ts"
import { IdentifierRequired, LeadSuppressed, NotAProfileUrl } from "../failures.ts"
import { Suppression } from "../suppression/Suppression.ts"
import { readTarget, targetFields } from "../suppression/suppressionInput.ts"
import { suppressDomain, suppressPerson } from "../suppression/suppressPerson.ts"

/** `lead.suppress`: suppresses a person or a domain. */
export const SuppressLead = Command.make({
  id: "lead.suppress",
  title: "Suppress a person or a domain",
  summary: "Block a person or a domain from being contacted",
  description:
    "Suppressed people cannot be drafted or sent to, and imports skip them. They may be leads or not known yet. " +
    "Suppressing a lead covers all of its identifiers; without an end date it moves to DoNotContact, with one it " +
    "keeps its status and its unsent messages go back to review. An existing longer suppression is never shortened.",
  whenToUse:
    "When somebody objects, before importing people who must not be contacted, or for customers and competitors.",
  category: "leads",
  risk: "mutate",
  scope: "leads:write",
  input: Schema.Struct({
    ...targetFields,
    reason: nonEmptyLine(500, "The reason"),
    until: Schema.optionalKey(
      isoDateTime.pipe(
        Schema.annotateEncoded({ description: "When the suppression expires, with UTC offset; omit for permanent" })
      )
    )
  }),
  output: Schema.Struct({ suppression: Suppression }),
  failures: [IdentifierRequired, InvalidEmail, LeadSuppressed, NotAProfileUrl, NotFound],
  riskNotes: [
    "Cancels messages that are not sent yet; a permanent suppression also cancels drafts.",
    "Only lead.suppression.lift reverses it."
  ],
  relatedCommands: ["lead.suppression.check", "lead.suppression.lift", "lead.status.set"],
  relatedResources: ["svc://suppressions"],
  examples: [
    {
      title: "A person who is not a lead",
      input: { email: "no-mail@example.org", reason: "Asked not to be contacted" }
    },
    {
      title: "A customer's domain, until next year",
      input: { domain: "example.net", reason: "Customer", until: "2199-01-01T00:00:00Z" }
    }
  ],
  run: Effect.fnUntraced(function* ({ reason, until, ...whom }) {
    const meant = yield* readTarget(whom)
    const terms = { reason, until: until ?? null }
    return {
      suppression: yield* meant._tag === "Domain"
        ? suppressDomain(meant.domain, terms)
        : suppressPerson(meant.fields, terms)
    }
  })
})
