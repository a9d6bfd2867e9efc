/** The policies of an organization as administrators see and set them. */
import * as Schema from "effect/Schema"
import { type CommandPolicy, permissions } from "../../kernel/command/Permission.ts"

const Rule = (description: string) => Schema.NullOr(Schema.Literals(permissions)).annotate({ description })

/** A policy; null without a rule. */
export const PolicyView = Schema.Struct({
  approval: Rule("For commands of risk approval"),
  mutate: Rule("For commands of risk mutate"),
  agents: Rule("For AI agents that approve or send messages, whatever the risk")
})

/** The policies of an organization and its keys. */
export const PoliciesView = Schema.Struct({
  organization: PolicyView,
  keys: Schema.Array(Schema.Struct({ key_id: Schema.String, name: Schema.String, policy: PolicyView }))
})

/** The view of a policy. */
export const viewOfPolicy = (policy: CommandPolicy): typeof PolicyView.Type => ({
  approval: policy.approval ?? null,
  mutate: policy.mutate ?? null,
  agents: policy.agents ?? null
})

/** An input field for a rule; null removes it. */
export const RuleInput = (what: string) =>
  Schema.optionalKey(
    Rule(`What happens ${what}: allow, ask a person first, or deny; null removes the rule; default unchanged`)
  )
