import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { getAgent } from "../../../agents/writeAgent.ts"
import * as Command from "../../../kernel/command/Command.ts"
import { Execution } from "../../../kernel/command/Execution.ts"
import { InvalidInput, NotFound, WrongState } from "../../../kernel/failure/failures.ts"
import { nonEmptyLine } from "../../../kernel/schema/TextFields.ts"
import { Instant } from "../../../kernel/schema/Time.ts"
import { GatewayError, GatewayRejected, GatewayUnconfigured, UsageLimit } from "../../failures.ts"
import { AccountOutput, accountOutputOf } from "../AccountOutput.ts"
import { LinkedInGateway } from "../LinkedInGateway.ts"
import { linkAccount } from "../linkAccount.ts"

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
  category: "linkedin",
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
