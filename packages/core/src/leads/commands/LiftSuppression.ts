import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../Command.ts"
import { nonEmptyLine } from "../../TextFields.ts"
import { liftDomain, liftPerson } from "../suppression/liftSuppression.ts"
import { Suppression } from "../suppression/Suppression.ts"
import { readWhom, whomFields } from "../suppression/suppressionInput.ts"

/** `lead.suppression.lift`: lets people be contacted again. */
export const LiftSuppression = Command.make({
  id: "lead.suppression.lift",
  title: "Lift a suppression",
  summary: "Let a person, or everybody at a domain, be contacted again, with a reason.",
  description:
    "Removes the suppression of a lead with every identifier it has, of an identifier that no lead has, or of a domain. A lead " +
    "in DoNotContact goes to Replied, Contacted or New, as its messages tell. A person who was erased may be stored again.",
  whenToUse: "Only when the person agreed, or the suppression was a mistake.",
  category: "leads",
  risk: "approval",
  scope: "privacy:manage",
  input: Schema.Struct({ ...whomFields, reason: nonEmptyLine(500, "Why it may be lifted, in your words") }),
  output: Schema.Struct({ suppression: Suppression }),
  riskNotes: ["The person can be drafted, sent to and imported again; cancelled drafts stay cancelled."],
  outputNotes: ["The suppression as it was before it was lifted.", "meta.warnings say what blocks a lead still."],
  relatedCommands: ["lead.suppression.check", "lead.suppress", "lead.get"],
  relatedResources: ["svc://suppressions"],
  examples: [
    { title: "The person agreed", input: { email: "opt-out@example.com", reason: "Asked for an offer on our website" } }
  ],
  run: Effect.fnUntraced(function* ({ reason, ...whom }) {
    const meant = yield* readWhom(whom)
    return { suppression: yield* meant._tag === "Domain" ? liftDomain(meant.domain) : liftPerson(meant.fields, reason) }
  })
})
