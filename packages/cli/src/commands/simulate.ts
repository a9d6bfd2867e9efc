/** `svc simulate reply`: what happens when a lead answers, on a simulated LinkedIn. */
import { type Failure, InvalidInput, WrongState } from "@svc/core"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import { commandRequest } from "../commandRequest.ts"
import { identifierOf } from "../generated/Listed.ts"
import type { CliExit } from "../Output.ts"
import { dataOf, type Target } from "../Target.ts"
import { baseUrl, json } from "./flags.ts"
import { printReply } from "./printReply.ts"
import { withTarget } from "./withTarget.ts"

const run = (target: Target, id: string, input: object) => target.send(commandRequest(id, JSON.stringify(input)))

const reply = Effect.fnUntraced(function* (
  target: Target,
  given: string,
  content: string,
  asJson: boolean
): Effect.fn.Return<void, CliExit | Failure> {
  const status = yield* run(target, "workspace.status", {})
  if (status.status >= 400) return yield* printReply(status, asJson)
  // Anywhere else the reply would stand in the history of a real person.
  if (Object(dataOf(status)["gateway"]).name !== "simulator") {
    return yield* new WrongState({
      message:
        "Replies are only simulated where LinkedIn is. Use svc dev, or record a real one with svc lead message record."
    })
  }
  const found = yield* run(target, "lead.get", { [identifierOf(given)]: given })
  if (found.status >= 400) return yield* printReply(found, asJson)
  const { lead_id } = dataOf(found)
  if (content.trim() === "") return yield* new InvalidInput({ message: "--text must not be empty." })
  const input = { lead_id, channel: "LINKEDIN", direction: "inbound", content }
  yield* printReply(yield* run(target, "lead.message.record", input), asJson)
})

const replyCommand = Command.make(
  "reply",
  {
    lead: Argument.String("lead").pipe(Argument.withDescription("Id, email address or LinkedIn URL of the lead")),
    text: Flag.String("text").pipe(
      Flag.withDescription("What the lead writes"),
      Flag.withDefault("Thanks, that sounds interesting. When do you have time?")
    ),
    baseUrl,
    json
  },
  ({ lead, text, ...common }) => withTarget(common, (target) => reply(target, lead, text, common.json))
).pipe(
  Command.withDescription(
    "Let a lead reply on the simulated LinkedIn: status, events and webhooks change as after a real reply"
  ),
  Command.withShortDescription("Let a lead reply"),
  Command.withExamples([
    { command: "svc simulate reply alan@example.com --text 'Please stop writing to me'", description: "An opt-out" }
  ])
)

/** `svc simulate`. */
export const simulate = Command.make("simulate").pipe(
  Command.withDescription("Try what happens, on a simulated LinkedIn"),
  Command.withSubcommands([replyCommand])
)
