import * as Schema from "effect/Schema"
import * as Command from "../../Command.ts"
import { PoliciesView } from "../Policies.ts"
import { readPolicies } from "../readPolicies.ts"

/** `policy.get`: what is asked about or refused. */
export const GetPolicies = Command.make({
  id: "policy.get",
  title: "Read the policies",
  summary: "See which commands are asked about or refused, for the organization and for single keys.",
  description:
    "A policy says for commands of risk approval or mutate, and for programs that approve or send messages, whether they are " +
    "run, kept until a person approves, or refused. " +
    "A key's own policy goes before the organization's; where neither says anything, everything its scopes allow is run.",
  whenToUse: "To see why a command was refused or waits.",
  category: "workspace",
  risk: "read",
  scope: "admin",
  input: Schema.Struct({}),
  output: PoliciesView,
  relatedCommands: ["policy.set", "approval.list"],
  examples: [{ title: "What applies", input: {} }],
  run: () => readPolicies
})
