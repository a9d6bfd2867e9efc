import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Command from "../../../kernel/command/Command.ts"
import { Actor, warn } from "../../../kernel/command/Execution.ts"
import type { Approver } from "../../../kernel/command/Permission.ts"
import { InvalidEmail, InvalidInput, NotFound, WrongState } from "../../../kernel/failure/failures.ts"
import { normalizeEmail } from "../../../kernel/schema/Email.ts"
import { camelKeys } from "../../../kernel/schema/snakeCase.ts"
import { KeyIdText } from "../../keys/KeyView.ts"
import { lockKey } from "../../organizations/Provisioning.ts"
import { Workspaces } from "../../Workspaces.ts"
import * as Policies from "../Policies.ts"

/**
 * The approvers with normalized addresses. Fails with INVALID_EMAIL, and with INVALID_INPUT for a user who is named twice;
 * warns of users without a key, who can decide only through a host program.
 */
const checkedApprovers = Effect.fnUntraced(function* (given: ReadonlyArray<Approver> | null | undefined) {
  if (given === null || given === undefined) return given
  const { organizationId } = yield* Actor
  const known = new Set((yield* (yield* Workspaces).listKeys(organizationId)).map(({ userId }) => userId))
  const checked: Array<Approver> = []
  for (const [index, { email, user_id }] of given.entries()) {
    if (checked.some((one) => one.user_id === user_id)) {
      return yield* new InvalidInput({ message: `approvers[${index}].user_id repeats a user. Name each user once.` })
    }
    if (!known.has(user_id)) {
      yield* warn(`approvers[${index}]: no key belongs to the user ${user_id}, who can't decide with a key`)
    }
    const read = email === undefined ? undefined : normalizeEmail(email)
    if (read !== undefined && Result.isFailure(read)) {
      return yield* new InvalidEmail({ message: `approvers[${index}].email: ${read.failure.message}` })
    }
    checked.push(read === undefined ? { user_id } : { user_id, email: read.success.address })
  }
  return checked
})

/** `policy.get`: which commands need approval or are denied. */
export const GetPolicies = Command.make({
  id: "policy.get",
  title: "Get the policies",
  summary: "List which commands need approval or are denied",
  description:
    "A policy decides whether commands of risk approval or mutate, and approvals and sends by AI agents, are run, " +
    "held for a person's approval, or denied. A key's own policy takes precedence over the organization's; without a " +
    "rule, a key may run everything its scopes allow.",
  whenToUse: "To see why a command was denied or is waiting.",
  risk: "read",
  scope: "admin",
  input: Schema.Struct({}),
  output: Policies.PoliciesView,
  failures: [],
  relatedCommands: ["policy.set", "approval.list"],
  examples: [{ title: "Current policies", input: {} }],
  run: () => Policies.readPolicies
})

/** `policy.set`: decides which commands need approval or are denied. */
export const SetPolicy = Command.make({
  id: "policy.set",
  title: "Set a policy",
  summary: "Allow, hold or deny commands by risk",
  description:
    "Sets what happens to commands of risk approval and risk mutate, and to approvals and sends by AI agents, for " +
    "the organization or, with key_id, for one key; if several rules match, the strictest applies. A rule holds for what a call does: lead.upsert " +
    "with on_conflict merge obeys the rule for lead.merge. Takes effect everywhere within a second. approvers, expiry_days and client_answers are rules for the approval requests of the " +
    "whole organization: who decides, until when, and whether the answer of a person in an MCP client is a decision. disclosure and evidence are required of texts: nobody can approve a text without them. lawful_basis and retention_days are rules for leads: who may be contacted first, and when leads are erased. An organization's policy never blocks policy.set and approval.resolve, so it can " +
    "always be reversed; a key's own policy does. Only a person can set a policy.",
  whenToUse: "To let AI agents work under a person's control, or to freeze a workspace.",
  risk: "approval",
  scope: "admin",
  effects: { does: ["governs"], channels: [] },
  input: Schema.Struct({
    key_id: Schema.optionalKey(KeyIdText),
    approval: Policies.PermissionInput("with commands of risk approval"),
    mutate: Policies.PermissionInput("with commands of risk mutate"),
    agents: Policies.PermissionInput("when an AI agent (actor kind AI_AGENT) approves or sends messages"),
    ...Policies.organizationRules
  }),
  output: Schema.Struct({
    policy: Policies.PolicyView.annotate({ description: "The new policy of the organization or the key" }),
    ...Policies.PoliciesView.fields
  }),
  failures: [NotFound, WrongState, InvalidEmail],
  riskNotes: [
    "With client_answers, anyone who controls a client and its key can approve what the key asked for.",
    "deny for mutate blocks every change by the affected keys, including imports and sending.",
    "retention_days erases leads that are older from now on, as lead.erase does; this cannot be undone."
  ],
  relatedCommands: ["policy.get", "approval.list", "approval.resolve"],
  examples: [
    { title: "Ask before anything risky with one key", input: { key_id: "samplerotate", approval: "ask" } },
    { title: "AI agents draft, people approve", input: { agents: "deny" } },
    { title: "One person decides, within two days", input: { approvers: [{ user_id: "usr_owner" }], expiry_days: 2 } },
    { title: "Texts say who wrote them", input: { disclosure: "Written by an AI assistant.", evidence: "figures" } },
    {
      title: "Nobody is contacted without a lawful basis, or kept for longer than needed",
      input: { lawful_basis: "required", retention_days: { consent: 730, none: 180 } }
    },
    { title: "Remove the organization's policy", input: { approval: null, mutate: null, agents: null } }
  ],
  run: Effect.fnUntraced(function* ({ agents, approval, key_id, mutate, ...given }) {
    const { organizationId } = yield* Actor
    const workspaces = yield* Workspaces
    const ofAll = { ...camelKeys(given), approvers: yield* checkedApprovers(given.approvers) }
    if (key_id !== undefined && Object.values(ofAll).some((rule) => rule !== undefined)) {
      return yield* new InvalidInput({
        message:
          `${Object.keys(Policies.organizationRules).join(", ")} are rules of the whole organization. Send them without ` +
          "key_id."
      })
    }
    const policy = yield* workspaces.changePolicy(organizationId, key_id, { approval, mutate, agents, ...ofAll })
    if (policy === undefined) {
      const { session } = yield* lockKey(organizationId, key_id ?? "")
      return yield* new WrongState({
        message: `A session or grant has the policy of the key it came from. Set that of ${session?.parentKeyId ?? "the key"}.`
      })
    }
    return { policy: Policies.viewOfPolicy(policy), ...(yield* Policies.readPolicies) }
  })
})
