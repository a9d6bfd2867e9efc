import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { getAgent } from "../../../agents/writeAgent.ts"
import * as Command from "../../../kernel/command/Command.ts"
import { NotFound } from "../../../kernel/failure/failures.ts"
import { nonEmptyLine } from "../../../kernel/schema/TextFields.ts"
import { NoLinkedinAccount } from "../../failures.ts"
import { AccountOutput, accountOutputOf } from "../AccountOutput.ts"
import { unlinkAccount } from "../linkAccount.ts"

/** `linkedin.account.unlink`: takes a LinkedIn account from an agent. */
export const UnlinkAccount = Command.make({
  id: "linkedin.account.unlink",
  title: "Unlink a LinkedIn account",
  summary: "Unlink the LinkedIn account of an agent",
  description:
    "The agent has no account until one is linked again, so nothing is sent or read for it. Queued messages return " +
    "to review when they are due. Sent and received messages stay, and so does the account at the provider.",
  whenToUse: "When an agent gets a different account, or its owner no longer wants it used.",
  category: "linkedin",
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
