import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { getAgent } from "../../agents/index.ts"
import * as Command from "../../Command.ts"
import { nonEmptyLine } from "../../TextFields.ts"
import { AccountShown, shownAccount } from "../AccountShown.ts"
import { unlinkAccount } from "../linkAccount.ts"

/** `linkedin.account.unlink`: takes a LinkedIn account from an agent. */
export const UnlinkAccount = Command.make({
  id: "linkedin.account.unlink",
  title: "Unlink a LinkedIn account",
  summary: "Take the LinkedIn account from an agent, so that nothing is sent or read with it any more.",
  description:
    "The agent has no account until one is linked again. Messages that wait to be sent go back under review when their " +
    "time comes. What was sent and received stays, and so does the account at the provider.",
  whenToUse: "When an agent gets another account, or its owner does not want it to be used any more.",
  category: "linkedin",
  risk: "mutate",
  scope: "agents:write",
  input: Schema.Struct({ agent_handle: nonEmptyLine(200, "Handle or id of the agent") }),
  output: Schema.Struct({ account: AccountShown }),
  riskNotes: ["Approved messages of the agent do not leave until an account is linked again."],
  outputNotes: ["The account is shown in status STOPPED."],
  relatedCommands: ["linkedin.account.link", "linkedin.account.list", "linkedin.queue.list"],
  relatedResources: ["svc://linkedin/accounts"],
  examples: [{ title: "Stop writing as Ada", input: { agent_handle: "ada-martin" } }],
  run: Effect.fnUntraced(function* ({ agent_handle }) {
    const { id } = yield* getAgent(agent_handle)
    const { account, agent } = yield* unlinkAccount(id)
    return { account: shownAccount(agent, account) }
  })
})
