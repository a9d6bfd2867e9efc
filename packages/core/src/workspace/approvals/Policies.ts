/** The policies of an organization as administrators see and set them. */

import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { defaultExpiryDays } from "../../kernel/command/ApprovalRequest.ts"
import { Actor } from "../../kernel/command/Execution.ts"
import * as Permission from "../../kernel/command/Permission.ts"
import { OrganizationPolicies } from "../../kernel/command/Policy.ts"
import { ApprovalPolicy, type StoreFailure } from "../../kernel/failure/failures.ts"
import { snakeFields } from "../../kernel/schema/snakeCase.ts"
import { nonEmptyLine, optional } from "../../kernel/schema/TextFields.ts"
import { Workspaces } from "../Workspaces.ts"

const Rule = (description: string) => Schema.NullOr(Schema.Literals(Permission.permissions)).annotate({ description })

/** A policy; null without a rule. */
export const PolicyView = Schema.Struct({
  approval: Rule("For commands of risk approval"),
  mutate: Rule("For commands of risk mutate"),
  agents: Rule("For AI agents that approve or send messages, whatever the risk")
})

/** A person who decides. */
const ApproverView = Schema.Struct({
  user_id: Schema.String.annotate({ description: "Id of the user, as key.list shows it" }),
  email: Schema.NullOr(Schema.String).annotate({ description: "Where notices are sent; null for none" })
})

/** The rules for approval requests. */
const ApprovalRulesView = Schema.Struct({
  approvers: Schema.NullOr(Schema.Array(ApproverView)).annotate({
    description: "Who may decide; null for everyone with the right"
  }),
  expiry_days: Schema.Int.annotate({ description: "Days until a request expires" }),
  client_answers: Schema.Boolean.annotate({
    description: "Whether the answer of an MCP client's user counts as a decision of the key's user"
  })
})

const writers = Schema.Literals(["all", "ai_agents"])

const evidenceRules = Schema.Literals(["any", "figures"])

const required = Schema.Literal("required")

const days = Schema.Int.check(Schema.isBetween({ minimum: 30, maximum: 3_650 }))

/** Days by lawful basis. */
const RetentionDays = Schema.Record(Schema.Literals(Permission.knownBases), Schema.optionalKey(days))

/** The rules for texts. */
const TextRulesView = Schema.Struct({
  disclosure: Schema.NullOr(Schema.String).annotate({
    description: "A sentence that texts must contain; null for none"
  }),
  disclosure_for: writers.annotate({ description: "Whose texts: everyone's, or those that an AI agent wrote" }),
  evidence: Schema.NullOr(evidenceRules).annotate({
    description: "Evidence that drafts must have: any, or one for each figure; null for none"
  }),
  email_authentication: Schema.NullOr(required).annotate({
    description: "required: emails wait until the sender's domain has SPF, DKIM and DMARC; null for no such rule"
  })
})

/** The rules for leads. */
const LeadRulesView = Schema.Struct({
  lawful_basis: Schema.NullOr(required).annotate({
    description: "required: the first contact of a lead waits until its lawful basis is known; null for no such rule"
  }),
  retention_days: Schema.NullOr(RetentionDays).annotate({
    description:
      "Days after the last change or message until a lead is erased, by lawful basis; none is for leads without one. Null " +
      "to keep all leads"
  })
})

/** The policies of an organization and its keys. */
export const PoliciesView = Schema.Struct({
  approvals: ApprovalRulesView,
  texts: TextRulesView,
  leads: LeadRulesView,
  organization: PolicyView,
  keys: Schema.Array(Schema.Struct({ key_id: Schema.String, name: Schema.String, policy: PolicyView }))
})

/** The view of a policy. */
export const viewOfPolicy = (policy: Permission.CommandPolicy): typeof PolicyView.Type =>
  snakeFields({ approval: null, mutate: null, agents: null, ...policy }, ["approval", "mutate", "agents"])

/** The view of the rules for approval requests. */
const viewOfRules = ({ approvers, ...rules }: Permission.ApprovalRules): typeof ApprovalRulesView.Type => ({
  approvers: approvers?.map(({ email = null, user_id }) => ({ user_id, email })) ?? null,
  ...snakeFields({ expiryDays: defaultExpiryDays, clientAnswers: false, ...rules }, ["expiryDays", "clientAnswers"])
})

const noTextRules = { disclosure: null, disclosureFor: "all", evidence: null, emailAuthentication: null } as const

/** The view of the rules for texts. */
const viewOfTexts = (rules: Permission.TextRules): typeof TextRulesView.Type =>
  snakeFields({ ...noTextRules, ...rules }, ["disclosure", "disclosureFor", "evidence", "emailAuthentication"])

/** The view of the rules for leads. */
const viewOfLeads = (rules: Permission.TextRules): typeof LeadRulesView.Type =>
  snakeFields({ lawfulBasis: null, retentionDays: null, ...rules }, ["lawfulBasis", "retentionDays"])

/** An input field for a rule; null removes it. */
const ruleInput = <S extends Schema.Top>(rule: S, description: string) =>
  optional(Schema.NullOr(rule), `${description}; default unchanged`)

/** An input field for what happens to commands. */
export const PermissionInput = (what: string) =>
  ruleInput(
    Schema.Literals(Permission.permissions),
    `What happens ${what}: allow, ask a person first, or deny; null removes the rule`
  )

/** Input fields of the rules of the whole organization: for approval requests, and for texts. */
export const organizationRules = {
  approvers: ruleInput(
    Schema.Array(
      Schema.Struct({
        user_id: nonEmptyLine(64, "Id of the user, as key.list shows it"),
        email: Schema.optionalKey(nonEmptyLine(254, "Where notices of requests are sent; omit for none"))
      })
    ).check(Schema.isBetweenLength(1, 50)),
    "Who may decide on approval requests; null for everyone with the right"
  ),
  expiry_days: ruleInput(
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 90 })),
    "Days until an approval request expires, 1 to 90; null for 7"
  ),
  client_answers: ruleInput(
    Schema.Boolean,
    "Whether accept in an MCP client counts as a decision of the key's user; null for no"
  ),
  disclosure: ruleInput(
    nonEmptyLine(300),
    "Sentence that every text must contain before it is approved or sent, such as Written by an AI assistant.; null for none"
  ),
  disclosure_for: ruleInput(writers, "Whose texts must contain it: all, or ai_agents; null for all"),
  evidence: ruleInput(
    evidenceRules,
    "Evidence that LinkedIn drafts must have to be approved: any, or figures for one per figure; null for none"
  ),
  email_authentication: ruleInput(
    required,
    "required: emails wait until the sender's domain has SPF, DKIM and DMARC records; null to send them anyway"
  ),
  lawful_basis: ruleInput(
    required,
    "required: the first contact of a lead waits until its lawful basis is known; null to contact it anyway"
  ),
  retention_days: ruleInput(
    RetentionDays,
    "Days after the last change or message until a lead is erased, 30 to 3,650 by lawful basis, none without one; replaces the " +
      "whole rule; null to keep all leads"
  )
}

/** The policies of the organization, and of its keys that have their own and are not revoked. */
export const readPolicies: Effect.Effect<typeof PoliciesView.Type, StoreFailure, Actor | Workspaces> = Effect.gen(
  function* () {
    const { organizationId } = yield* Actor
    const workspaces = yield* Workspaces
    const organization = yield* workspaces.organizationPolicy(organizationId)
    const keys = (yield* workspaces.listKeys(organizationId)).flatMap(({ keyId, name, policies, revokedAt }) => {
      const policy = viewOfPolicy(policies?.key ?? {})
      const isSilent = Object.values(policy).every((rule) => rule === null)
      return isSilent || revokedAt !== null ? [] : [{ key_id: keyId, name, policy }]
    })
    return {
      approvals: viewOfRules(organization),
      texts: viewOfTexts(organization),
      leads: viewOfLeads(organization),
      organization: viewOfPolicy(organization),
      keys
    }
  }
)

/** The rules, at most a second old. */
export const approvalRules: Effect.Effect<Permission.CommandPolicy, StoreFailure, Actor> = Effect.gen(function* () {
  const { organizationId, policies } = yield* Actor
  return policies?.organization ?? (yield* (yield* OrganizationPolicies)(organizationId))
})

/** What the organization requires of texts, as stored: what leaves now obeys what was set before. */
export const textRules: Effect.Effect<Permission.TextRules, StoreFailure, Actor | Workspaces> = Effect.gen(
  function* () {
    const { organizationId } = yield* Actor
    return yield* (yield* Workspaces).organizationPolicy(organizationId)
  }
)

/** Whether a user may decide. */
export const mayDecide = ({ approvers }: Permission.ApprovalRules, userId: string): boolean =>
  approvers === undefined || approvers.some(({ user_id }) => user_id === userId)

/** The failure for a user who may not decide. */
export const notApprover = ({ approvers = [] }: Permission.ApprovalRules): ApprovalPolicy =>
  new ApprovalPolicy({
    message:
      `Only named approvers can decide on approval requests: ${approvers.map(({ user_id }) => user_id).join(", ")}. ` +
      "Ask one of them, or somebody with the scope admin to change approvers with policy.set."
  })
