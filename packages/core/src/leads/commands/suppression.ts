import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Command from "../../kernel/command/Command.ts"
import { Actor } from "../../kernel/command/Execution.ts"
import { InvalidEmail, InvalidInput, NotFound } from "../../kernel/failure/failures.ts"
import { normalizeEmail } from "../../kernel/schema/Email.ts"
import { Instant, now } from "../../kernel/schema/IdsAndTime.ts"
import { dateTime, excerpt, line, nonEmptyLine } from "../../kernel/schema/TextFields.ts"
import { IdentifierRequired, type IdentityRefusal, LeadSuppressed, NotAProfileUrl } from "../failures.ts"
import { IdentityOptions, identityKey, type TokenOptions } from "../identity/Identity.ts"
import { type IdentityFields, readIdentityInput } from "../identity/IdentityInput.ts"
import { PrivacyRepo } from "../privacy/PrivacyRepo.ts"
import { activeSuppression, type Suppressible, Suppression } from "../suppression/Suppression.ts"
import { lift, suppress } from "../suppression/suppressPerson.ts"

/** The normal form of a domain, with or without a leading `@`. Fails with INVALID_INPUT. */
const readDomain = (input: string): Result.Result<string, InvalidInput> => {
  const text = input.trim()
  const address = normalizeEmail(`x@${text.startsWith("@") ? text.slice(1) : text}`)
  return Result.mapBoth(address, {
    onSuccess: ({ key }) => key.slice(key.lastIndexOf("@") + 1),
    onFailure: () =>
      new InvalidInput({ message: `${excerpt(input)} is not a domain name. Send a domain such as example.com.` })
  })
}

const leadIdPattern = /^ld_[0-9A-Z]{1,40}$/

const fieldOf = (text: string): keyof IdentityFields => {
  if (/^(?:urn:li:|ACwAA|AEMAA)/.test(text) || /\/sales\/(?:lead|people)\//.test(text)) return "sales_nav_id"
  return "linkedin_url"
}

/**
 * Parses a lead id, an email address, a LinkedIn profile, URN or token, or a domain. Fails with INVALID_INPUT,
 * INVALID_EMAIL or NOT_A_PROFILE_URL.
 */
const readSuppressible = (
  input: string,
  options: TokenOptions
): Result.Result<ReadonlyArray<Suppressible>, IdentityRefusal> => {
  const text = input.trim()
  if (leadIdPattern.test(text)) return Result.succeed([{ kind: "lead", value: text }])
  if (text.includes("@") && !text.startsWith("@")) {
    return Result.map(normalizeEmail(text), ({ key }) => [{ kind: "email", value: key }])
  }
  const domain = readDomain(text)
  const isProfile = text.includes("/") || text.includes(":") || /^A(?:CoAA|CwAA|EMAA)/.test(text)
  if (!isProfile) return Result.map(domain, (value) => [{ kind: "domain", value }])
  return Result.map(readIdentityInput({ [fieldOf(text)]: text }, options), ({ identities }) => identities)
}

const optional = Schema.optionalKey

/** TargetInput. */
const targetFields = {
  lead_id: optional(nonEmptyLine(64, "Id of the lead; covers all of its identifiers")),
  email: optional(line(500, "Email address, of a lead or of anybody else")),
  domain: optional(nonEmptyLine(253, "Domain such as example.com: covers every email address there")),
  linkedin_url: optional(line(4_000, "URL of the LinkedIn profile, in any spelling"))
}

/** Fails with IDENTIFIER_REQUIRED without a field, and with INVALID_INPUT for several. */
const readTarget = Effect.fnUntraced(function* ({ domain, ...fields }: Schema.Struct.Type<typeof targetFields>) {
  const given = [domain, ...Object.values(fields)].filter((value) => value !== undefined)
  if (given.length === 0) {
    const message = "Name a target: send lead_id, email, domain or linkedin_url."
    return yield* new IdentifierRequired({ message })
  }
  if (given.length > 1) {
    const message = "lead_id, email, domain and linkedin_url are alternatives. Send one of them."
    return yield* new InvalidInput({ message })
  }
  if (domain === undefined) return { domain, fields }
  const read = Result.mapError(readDomain(domain), (failure) => failure.withMessage(`domain: ${failure.message}`))
  return { domain: yield* Effect.fromResult(read), fields }
})

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
  risk: "mutate",
  scope: "leads:write",
  input: Schema.Struct({
    ...targetFields,
    reason: nonEmptyLine(500, "The reason"),
    until: Schema.optionalKey(dateTime("When the suppression expires, with UTC offset; omit for permanent"))
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
    return { suppression: yield* suppress(yield* readTarget(whom), { reason, until: until ?? null }) }
  })
})

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
    return { suppression: yield* lift(yield* readTarget(whom), reason) }
  })
})

/** `lead.suppression.check`: says which of many identifiers are suppressed. */
export const CheckSuppressions = Command.make({
  id: "lead.suppression.check",
  title: "Check suppressions",
  summary: "Check whether people or domains are suppressed",
  description:
    "Takes up to 500 email addresses, LinkedIn profiles, domains and lead ids in any mix and says whether each is " +
    "suppressed now, why and until when. Erased people are recognized although none of their data is kept.",
  whenToUse: "Before buying or importing a list, or to find out why a person cannot be contacted.",
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
    const all = read.flatMap(({ meant }) => Result.getOrElse(meant, () => []))
    const asked = [...new Map(all.map((one) => [identityKey(one), one])).values()]
    const found = asked.length === 0 ? [] : yield* (yield* PrivacyRepo).findSuppressions(organizationId, asked)
    const at = yield* now
    return {
      results: read.map(({ identifier, meant }) => {
        const targets = Result.getOrElse(meant, () => [])
        const keys = new Set(targets.map(identityKey))
        const entries = found.filter((match) => keys.has(identityKey(match))).map(({ entry }) => entry)
        const entry = activeSuppression(entries, at)
        return {
          identifier,
          kind: targets[0]?.kind ?? null,
          suppressed: entry !== undefined,
          reason: entry?.reason ?? null,
          until: entry?.until ?? null,
          error: Result.isFailure(meant) ? meant.failure.message : null
        }
      })
    }
  })
})
