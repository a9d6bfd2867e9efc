import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../../kernel/command/Command.ts"
import { AccountOutput } from "../AccountOutput.ts"
import { listAccounts } from "../resolveAccount.ts"

const Account = Schema.Struct({
  ...AccountOutput.fields,
  usage: Schema.Array(
    Schema.Struct({
      action: Schema.Literals(["message", "invitation"]),
      window: Schema.Literals(["day", "week"]),
      used: Schema.Int
    })
  ).annotate({ description: "Confirmed by the provider in the last 24 hours (day) and 7 days (week)" })
})

/** `linkedin.account.list`: reads the LinkedIn accounts of the agents. */
export const ListAccounts = Command.make({
  id: "linkedin.account.list",
  title: "List LinkedIn accounts",
  summary: "List LinkedIn accounts and their health",
  description: "Returns the LinkedIn account of each agent that has one, with its health, subscription and usage.",
  whenToUse: "Before drafting, to check that the agent can send; and when messages stay in the queue.",
  category: "linkedin",
  risk: "read",
  scope: "linkedin:read",
  effects: { does: ["reads"], channels: ["linkedin"] },
  input: Schema.Struct({}),
  output: Schema.Struct({ accounts: Schema.Array(Account) }),
  failures: [],
  outputNotes: ["Only accounts in status OK can send. Agents without an account are not listed."],
  relatedCommands: ["agent.list", "linkedin.draft.create", "workspace.status"],
  relatedResources: ["svc://linkedin/accounts"],
  examples: [{ title: "All accounts", input: {} }],
  run: Effect.fnUntraced(function* () {
    const found = yield* listAccounts
    return {
      accounts: found.map(({ account, agent, use }) => ({
        account_id: account.id,
        agent_handle: agent.handle,
        name: agent.name,
        public_url: agent.linkedinUrl === "" ? null : agent.linkedinUrl,
        status: account.status,
        tier: account.tier,
        features: account.features,
        usage: [
          { action: "message" as const, window: "day" as const, used: use.messagesDay },
          { action: "invitation" as const, window: "day" as const, used: use.invitationsDay },
          { action: "invitation" as const, window: "week" as const, used: use.invitationsWeek }
        ]
      }))
    }
  })
})
