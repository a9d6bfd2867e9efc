import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Actor } from "../../Actor.ts"
import * as Command from "../../Command.ts"
import { notFound } from "../../Failure.ts"
import { KeyIdText } from "../../keys/index.ts"
import type { CommandPolicy, Permission } from "../../Policy.ts"
import { Workspaces } from "../../workspace/Workspaces.ts"
import { requirePerson } from "../Approval.ts"
import { PoliciesView, PolicyView, RuleInput, viewOfPolicy } from "../Policies.ts"
import { readPolicies } from "../readPolicies.ts"

const changed = (before: Permission | undefined, sent: Permission | null | undefined): Permission | undefined =>
  sent === undefined ? before : (sent ?? undefined)

/** `policy.set`: decides what is asked about or refused. */
export const SetPolicy = Command.make({
  id: "policy.set",
  title: "Set a policy",
  summary: "Decide which commands are run, asked about, or refused, for the organization or one key.",
  description:
    "Sets what happens with commands of risk approval and of risk mutate, and when programs approve or send messages, for " +
    "the organization, or for one key with key_id; of several rules the strictest counts. It holds everywhere within a second. An organization's policy never stops policy.set and approval.resolve, so " +
    "it can always be taken back; a key's own policy does. Only a person can set a policy.",
  whenToUse: "To let programs work while a person keeps the last word, or to freeze a workspace.",
  category: "workspace",
  risk: "approval",
  scope: "admin",
  input: Schema.Struct({
    key_id: Schema.optionalKey(KeyIdText),
    approval: RuleInput("with commands of risk approval"),
    mutate: RuleInput("with commands of risk mutate"),
    agents: RuleInput("when a program (actor kind AI_AGENT) approves or sends messages")
  }),
  output: Schema.Struct({
    policy: PolicyView.annotate({ description: "What was set, for the organization or the key" }),
    ...PoliciesView.fields
  }),
  riskNotes: ["deny for mutate stops every change by the keys it holds for, imports and sending included."],
  relatedCommands: ["policy.get", "approval.list", "approval.resolve"],
  examples: [
    { title: "Ask before anything risky that one key does", input: { key_id: "samplerotate", approval: "ask" } },
    { title: "Programs draft, people approve", input: { agents: "deny" } },
    { title: "No policy for the organization", input: { approval: null, mutate: null, agents: null } }
  ],
  run: Effect.fnUntraced(function* ({ key_id, ...sent }) {
    yield* requirePerson("set a policy")
    const { organizationId } = yield* Actor
    const workspaces = yield* Workspaces
    const key = key_id === undefined ? undefined : yield* workspaces.holdKey(organizationId, key_id)
    if (key_id !== undefined && key === undefined) return yield* notFound("key", key_id)
    const before = key === undefined ? yield* workspaces.organizationPolicy(organizationId) : (key.policies?.key ?? {})
    const approval = changed(before.approval, sent.approval)
    const mutate = changed(before.mutate, sent.mutate)
    const agents = changed(before.agents, sent.agents)
    const policy: CommandPolicy = {
      ...(approval === undefined ? {} : { approval }),
      ...(mutate === undefined ? {} : { mutate }),
      ...(agents === undefined ? {} : { agents })
    }
    yield* workspaces.setPolicy(organizationId, key_id, policy)
    return { policy: viewOfPolicy(policy), ...(yield* readPolicies) }
  })
})
