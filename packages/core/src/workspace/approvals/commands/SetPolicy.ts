import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Actor } from "../../../kernel/command/Actor.ts"
import * as Command from "../../../kernel/command/Command.ts"
import { NotFound, WrongState } from "../../../kernel/failure/failures.ts"
import { KeyIdText } from "../../keys/KeyView.ts"
import { lockKey } from "../../organizations/changeKey.ts"
import { Workspaces } from "../../organizations/Workspaces.ts"
import { PoliciesView, PolicyView, RuleInput, viewOfPolicy } from "../Policies.ts"
import { readPolicies } from "../readPolicies.ts"

/** `policy.set`: decides which commands need approval or are denied. */
export const SetPolicy = Command.make({
  id: "policy.set",
  title: "Set a policy",
  summary: "Allow, hold or deny commands by risk",
  description:
    "Sets what happens to commands of risk approval and risk mutate, and to approvals and sends by AI agents, for " +
    "the organization or, with key_id, for one key; if several rules match, the strictest applies. Takes effect " +
    "everywhere within a second. An organization's policy never blocks policy.set and approval.resolve, so it can " +
    "always be reversed; a key's own policy does. Only a person can set a policy.",
  whenToUse: "To let AI agents work under a person's control, or to freeze a workspace.",
  category: "workspace",
  risk: "approval",
  scope: "admin",
  effects: { does: ["governs"], channels: [] },
  input: Schema.Struct({
    key_id: Schema.optionalKey(KeyIdText),
    approval: RuleInput("with commands of risk approval"),
    mutate: RuleInput("with commands of risk mutate"),
    agents: RuleInput("when an AI agent (actor kind AI_AGENT) approves or sends messages")
  }),
  output: Schema.Struct({
    policy: PolicyView.annotate({ description: "The new policy of the organization or the key" }),
    ...PoliciesView.fields
  }),
  failures: [NotFound, WrongState],
  riskNotes: ["deny for mutate blocks every change by the affected keys, including imports and sending."],
  relatedCommands: ["policy.get", "approval.list", "approval.resolve"],
  examples: [
    { title: "Ask before anything risky with one key", input: { key_id: "samplerotate", approval: "ask" } },
    { title: "AI agents draft, people approve", input: { agents: "deny" } },
    { title: "Remove the organization's policy", input: { approval: null, mutate: null, agents: null } }
  ],
  run: Effect.fnUntraced(function* ({ key_id, ...change }) {
    const { organizationId } = yield* Actor
    const workspaces = yield* Workspaces
    const policy = yield* workspaces.changePolicy(organizationId, key_id, change)
    if (policy === undefined) {
      const { session } = yield* lockKey(organizationId, key_id ?? "")
      return yield* new WrongState({
        message: `A session has the policy of the key it came from. Set that of ${session?.parentKeyId ?? "the key"}.`
      })
    }
    return { policy: viewOfPolicy(policy), ...(yield* readPolicies) }
  })
})
