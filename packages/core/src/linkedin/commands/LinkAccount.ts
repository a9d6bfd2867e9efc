import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { getAgent } from "../../agents/index.ts"
import * as Command from "../../Command.ts"
import { Execution } from "../../Execution.ts"
import { fail } from "../../Failure.ts"
import { nonEmptyLine } from "../../TextFields.ts"
import { Instant } from "../../Time.ts"
import { AccountShown, shownAccount } from "../AccountShown.ts"
import { LinkedInGateway } from "../LinkedInGateway.ts"
import { linkAccount } from "../linkAccount.ts"

/** `linkedin.account.link`: gives an agent a LinkedIn account. */
export const LinkAccount = Command.make({
  id: "linkedin.account.link",
  title: "Link a LinkedIn account",
  summary: "Give an agent the LinkedIn account it writes with, by id or through a page for connecting one.",
  description:
    "With gateway_account_id the account that the provider has under this id is linked at once. Without it the answer is " +
    "the address of a page on which the owner connects an account; it is linked when that is done. A gateway that brings " +
    "its accounts along links the agent's own. Linking the same account again changes nothing.",
  whenToUse: "When an agent is new, or its account is in status CREDENTIALS and must be connected again.",
  category: "linkedin",
  risk: "mutate",
  scope: "agents:write",
  input: Schema.Struct({
    agent_handle: nonEmptyLine(200, "Handle or id of the agent"),
    gateway: Schema.optionalKey(
      nonEmptyLine(40, "Name of the gateway: simulator, manual, unipile or http; the running one when left out")
    ),
    gateway_account_id: Schema.optionalKey(
      nonEmptyLine(256, "Id of the account at the gateway; left out for a page on which somebody connects it")
    )
  }),
  output: Schema.Struct({
    account: Schema.NullOr(AccountShown).annotate({
      description: "The linked account; null where url is to be opened"
    }),
    url: Schema.NullOr(Schema.String).annotate({ description: "The page for connecting an account, else null" }),
    expires_at: Schema.NullOr(Instant).annotate({ description: "Until when the page works, else null" })
  }),
  riskNotes: ["From then on approved messages of the agent may leave with this account."],
  outputNotes: ["The url is meant for the owner of the LinkedIn account alone."],
  relatedCommands: ["linkedin.account.list", "linkedin.account.unlink", "agent.list"],
  relatedResources: ["svc://linkedin/accounts"],
  outward: true,
  examples: [{ title: "The agent's own account", input: { agent_handle: "ada-martin" } }],
  run: Effect.fnUntraced(function* ({ agent_handle, gateway, gateway_account_id }) {
    const { name } = yield* LinkedInGateway
    if (gateway !== undefined && gateway !== name) {
      return yield* fail("INVALID_INPUT", `gateway: this service runs with ${name}. Leave it out, or send that.`)
    }
    const { id } = yield* (yield* Execution).commit(getAgent(agent_handle))
    const linked = yield* linkAccount(id, gateway_account_id)
    return linked._tag === "Account"
      ? { account: shownAccount(linked.agent, linked.account), url: null, expires_at: null }
      : { account: null, url: linked.url, expires_at: linked.expiresAt }
  })
})
