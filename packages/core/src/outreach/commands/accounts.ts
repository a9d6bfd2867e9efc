import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { getAgent } from "../../agents/writeAgent.ts"
import * as Command from "../../kernel/command/Command.ts"
import { Execution } from "../../kernel/command/Execution.ts"
import { InvalidInput, NotFound, WrongState } from "../../kernel/failure/failures.ts"
import { Instant } from "../../kernel/schema/IdsAndTime.ts"
import { nonEmptyLine } from "../../kernel/schema/TextFields.ts"
import { GatewayError, GatewayRejected, GatewayUnconfigured, NoLinkedinAccount, UsageLimit } from "../failures.ts"
import type { AccountHolder } from "../provider/AccountsRepo.ts"
import { AccountStatus, type LinkedInAccount, LinkedInTier } from "../provider/LinkedInAccount.ts"
import { LinkedInGateway, listAccounts } from "../provider/LinkedInGateway.ts"
import { linkAccount, unlinkAccount } from "../provider/linkAccount.ts"

/** An account with its agent. */
const AccountOutput = Schema.Struct({
  account_id: Schema.String,
  agent_handle: Schema.String,
  name: Schema.String,
  public_url: Schema.NullOr(Schema.String),
  status: AccountStatus,
  tier: LinkedInTier,
  features: Schema.Array(Schema.String)
})

/** The account of an agent as it is shown. */
const accountOutputOf = (agent: AccountHolder, account: LinkedInAccount) => ({
  account_id: account.id,
  agent_handle: agent.handle,
  name: agent.name,
  public_url: agent.linkedinUrl === "" ? null : agent.linkedinUrl,
  ...Struct.pick(account, ["status", "tier", "features"])
})

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
        ...accountOutputOf(agent, account),
        usage: [
          { action: "message" as const, window: "day" as const, used: use.messagesDay },
          { action: "invitation" as const, window: "day" as const, used: use.invitationsDay },
          { action: "invitation" as const, window: "week" as const, used: use.invitationsWeek }
        ]
      }))
    }
  })
})

/** `linkedin.account.link`: gives an agent a LinkedIn account. */
export const LinkAccount = Command.make({
  id: "linkedin.account.link",
  title: "Link a LinkedIn account",
  summary: "Link a LinkedIn account to an agent",
  description:
    "With gateway_account_id, links the provider's account with this id immediately. Without it, returns the URL of " +
    "a page where the owner connects an account, which is then linked. A gateway that provides its own accounts " +
    "links the agent's own. Linking the same account again changes nothing.",
  whenToUse: "When an agent is new, or its account is in status CREDENTIALS and must be reconnected.",
  risk: "mutate",
  scope: "agents:write",
  effects: { does: ["writes"], channels: ["linkedin"] },
  input: Schema.Struct({
    agent_handle: nonEmptyLine(200, "Handle or id of the agent"),
    gateway: Schema.optionalKey(
      nonEmptyLine(40, "Name of the gateway: simulator, manual, unipile or http; default the configured one")
    ),
    gateway_account_id: Schema.optionalKey(
      nonEmptyLine(256, "Id of the account at the gateway; omit to get a page for connecting one")
    )
  }),
  output: Schema.Struct({
    account: Schema.NullOr(AccountOutput).annotate({
      description: "The linked account; null if url must be opened"
    }),
    url: Schema.NullOr(Schema.String).annotate({ description: "URL of the page for connecting an account, or null" }),
    expires_at: Schema.NullOr(Instant).annotate({ description: "When the page expires, or null" })
  }),
  failures: [GatewayError, GatewayRejected, GatewayUnconfigured, NotFound, UsageLimit, WrongState],
  riskNotes: ["Approved messages of the agent may then be sent with this account."],
  outputNotes: ["Give the url only to the owner of the LinkedIn account."],
  relatedCommands: ["linkedin.account.list", "linkedin.account.unlink", "agent.list"],
  relatedResources: ["svc://linkedin/accounts"],
  outward: true,
  examples: [{ title: "The agent's own account", input: { agent_handle: "ada-martin" } }],
  run: Effect.fnUntraced(function* ({ agent_handle, gateway, gateway_account_id }) {
    const { name } = yield* LinkedInGateway
    if (gateway !== undefined && gateway !== name) {
      return yield* new InvalidInput({
        message: `gateway: this service uses ${name}. Send ${name}, or leave it out.`
      })
    }
    const { id } = yield* (yield* Execution).commit(getAgent(agent_handle))
    const linked = yield* linkAccount(id, gateway_account_id)
    return linked._tag === "Account"
      ? { account: accountOutputOf(linked.agent, linked.account), url: null, expires_at: null }
      : { account: null, url: linked.url, expires_at: linked.expiresAt }
  })
})

/** `linkedin.account.unlink`: takes a LinkedIn account from an agent. */
export const UnlinkAccount = Command.make({
  id: "linkedin.account.unlink",
  title: "Unlink a LinkedIn account",
  summary: "Unlink the LinkedIn account of an agent",
  description:
    "The agent has no account until one is linked again, so nothing is sent or read for it. Queued messages return " +
    "to review when they are due. Sent and received messages stay, and so does the account at the provider.",
  whenToUse: "When an agent gets a different account, or its owner no longer wants it used.",
  risk: "mutate",
  scope: "agents:write",
  effects: { does: ["writes"], channels: ["linkedin"] },
  input: Schema.Struct({ agent_handle: nonEmptyLine(200, "Handle or id of the agent") }),
  output: Schema.Struct({ account: AccountOutput }),
  failures: [NoLinkedinAccount, NotFound],
  riskNotes: ["Approved messages of the agent are not sent until an account is linked again."],
  outputNotes: ["The account is returned with status STOPPED."],
  relatedCommands: ["linkedin.account.link", "linkedin.account.list", "linkedin.queue.list"],
  relatedResources: ["svc://linkedin/accounts"],
  examples: [{ title: "Stop sending as Ada", input: { agent_handle: "ada-martin" } }],
  run: Effect.fnUntraced(function* ({ agent_handle }) {
    const { id } = yield* getAgent(agent_handle)
    const { account, agent } = yield* unlinkAccount(id)
    return { account: accountOutputOf(agent, account) }
  })
})
