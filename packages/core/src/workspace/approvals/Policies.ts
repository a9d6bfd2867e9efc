/** The policies of an organization as administrators see and set them. */
import * as Schema from "effect/Schema"
import { defaultExpiryDays } from "../../kernel/command/ApprovalRequest.ts"
import { type ApprovalRules, type CommandPolicy, permissions } from "../../kernel/command/Permission.ts"
import { nonEmptyLine } from "../../kernel/schema/TextFields.ts"

const Rule = (description: string) => Schema.NullOr(Schema.Literals(permissions)).annotate({ description })

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

/** The policies of an organization and its keys. */
export const PoliciesView = Schema.Struct({
  approvals: ApprovalRulesView,
  organization: PolicyView,
  keys: Schema.Array(Schema.Struct({ key_id: Schema.String, name: Schema.String, policy: PolicyView }))
})

/** The view of a policy. */
export const viewOfPolicy = (policy: CommandPolicy): typeof PolicyView.Type => ({
  approval: policy.approval ?? null,
  mutate: policy.mutate ?? null,
  agents: policy.agents ?? null
})

/** The view of the rules for approval requests. */
export const viewOfRules = ({
  approvers,
  clientAnswers = false,
  expiryDays = defaultExpiryDays
}: ApprovalRules): typeof ApprovalRulesView.Type => ({
  approvers: approvers?.map(({ email = null, user_id }) => ({ user_id, email })) ?? null,
  expiry_days: expiryDays,
  client_answers: clientAnswers
})

/** Input fields of the rules for approval requests. */
export const rulesInput = {
  approvers: Schema.optionalKey(
    Schema.NullOr(
      Schema.Array(
        Schema.Struct({
          user_id: nonEmptyLine(64, "Id of the user, as key.list shows it"),
          email: Schema.optionalKey(nonEmptyLine(254, "Where notices of requests are sent; omit for none"))
        })
      ).check(Schema.isBetweenLength(1, 50))
    ).annotate({
      description: "Who may decide on approval requests; null for everyone with the right; default unchanged"
    })
  ),
  expiry_days: Schema.optionalKey(
    Schema.NullOr(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 90 }))).annotate({
      description: "Days until an approval request expires, 1 to 90; null for 7; default unchanged"
    })
  ),
  client_answers: Schema.optionalKey(
    Schema.NullOr(Schema.Boolean).annotate({
      description:
        "Whether accept in an MCP client counts as a decision of the key's user; null for no; default unchanged"
    })
  )
}

/** An input field for a rule; null removes it. */
export const RuleInput = (what: string) =>
  Schema.optionalKey(
    Rule(`What happens ${what}: allow, ask a person first, or deny; null removes the rule; default unchanged`)
  )
