import * as Schema from "effect/Schema"
import * as Command from "../../../kernel/command/Command.ts"
import { PoliciesView } from "../Policies.ts"
import { readPolicies } from "../readPolicies.ts"

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
  category: "workspace",
  risk: "read",
  scope: "admin",
  input: Schema.Struct({}),
  output: PoliciesView,
  failures: [],
  relatedCommands: ["policy.set", "approval.list"],
  examples: [{ title: "Current policies", input: {} }],
  run: () => readPolicies
})
