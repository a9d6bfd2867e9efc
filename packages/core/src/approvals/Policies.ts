/** The policies of an organization as administrators see and set them. Source: G26. */
import * as Schema from "effect/Schema"
import { type CommandPolicy, permissions } from "../Policy.ts"

const Rule = (description: string) => Schema.NullOr(Schema.Literals(permissions)).annotate({ description })

/** A policy; null where nothing is said. */
export const PolicyView = Schema.Struct({
  approval: Rule("For commands of risk approval"),
  mutate: Rule("For commands of risk mutate"),
  agents: Rule("For programs that approve or send messages, whatever the risk")
})

/** What applies in an organization. */
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

/** A rule as an administrator sends it: null takes it back. */
export const RuleInput = (what: string) =>
  Schema.optionalKey(
    Rule(`What happens ${what}: allow, ask a person first, or deny; null takes it back; default unchanged`)
  )
