import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../kernel/command/Command.ts"
import { InvalidEmail, NotFound } from "../../kernel/failure/failures.ts"
import { nonEmptyLine } from "../../kernel/schema/TextFields.ts"
import { IdentifierRequired, NotAProfileUrl } from "../failures.ts"
import { liftDomain, liftPerson } from "../suppression/liftSuppression.ts"
import { Suppression } from "../suppression/Suppression.ts"
import { readTarget, targetFields } from "../suppression/suppressionInput.ts"

/** `lead.suppression.lift`: lifts a suppression. */
export const LiftSuppression = Command.make({
  id: "lead.suppression.lift",
  title: "Lift a suppression",
  summary: "Allow a suppressed person or domain to be contacted again",
  description:
    "Removes the suppression of a lead with all of its identifiers, of an identifier without a lead, or of a domain. " +
    "A lead in DoNotContact moves to Replied, Contacted or New, depending on its messages. An erased person may be " +
    "stored again.",
  whenToUse: "Only when the person agreed, or the suppression was a mistake.",
  category: "leads",
  risk: "approval",
  scope: "privacy:manage",
  input: Schema.Struct({ ...targetFields, reason: nonEmptyLine(500, "Why the suppression is lifted") }),
  output: Schema.Struct({ suppression: Suppression }),
  failures: [IdentifierRequired, InvalidEmail, NotAProfileUrl, NotFound],
  riskNotes: ["The person can be drafted to, sent to and imported again; cancelled drafts stay cancelled."],
  outputNotes: ["The suppression as it was before.", "meta.warnings names what still blocks a lead."],
  relatedCommands: ["lead.suppression.check", "lead.suppress", "lead.get"],
  relatedResources: ["svc://suppressions"],
  examples: [
    { title: "The person agreed", input: { email: "opt-out@example.com", reason: "Asked for an offer on our website" } }
  ],
  run: Effect.fnUntraced(function* ({ reason, ...whom }) {
    const meant = yield* readTarget(whom)
    return { suppression: yield* meant._tag === "Domain" ? liftDomain(meant.domain) : liftPerson(meant.fields, reason) }
  })
})
