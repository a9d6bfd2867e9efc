/** `svc simulate reply|accept|bounce`: what happens when a lead answers, accepts an invitation, or cannot be reached by email. */

import { WrongState } from "@svc/core"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import { invalid } from "../Output.ts"
import { callCommand, sendCommand, type Target } from "../Target.ts"
import { baseUrl, json, textOr } from "./flags.ts"
import { leadIdOf, printReply, withTarget } from "./runCommand.ts"

/** The lead's id, where LinkedIn is simulated. Fails with WRONG_STATE anywhere else. */
const simulatedLead = Effect.fnUntraced(function* (target: Target, given: string, elsewhere: string) {
  const { gateway } = yield* callCommand(target, "workspace.status", {})
  // Anywhere else it would stand in the history of a real person.
  if (Object(gateway).name !== "simulator") return yield* new WrongState({ message: elsewhere })
  return yield* leadIdOf(target, given)
})

const reply = Effect.fnUntraced(function* (target: Target, given: string, content: string, asJson: boolean) {
  const elsewhere =
    "Replies are only simulated where LinkedIn is. Use svc dev, or record a real one with svc lead message record."
  const lead_id = yield* simulatedLead(target, given, elsewhere)
  if (content.trim() === "") return yield* invalid("--text must not be empty.")
  const input = { lead_id, channel: "LINKEDIN", direction: "inbound", content }
  yield* printReply(yield* sendCommand(target, "lead.message.record", input), asJson)
})

/** Tells the service of something that happened to a lead. */
const happen = Effect.fnUntraced(function* (
  target: Target,
  given: string,
  event: "accepted" | "bounced",
  asJson: boolean
) {
  const elsewhere = "This is only simulated where LinkedIn is. Use svc dev."
  const json = JSON.stringify({ event, lead_id: yield* simulatedLead(target, given, elsewhere) })
  yield* printReply(yield* target.send({ method: "POST", path: "/api/v1/simulator/events", json }), asJson)
})

const leadArgument = Argument.String("lead").pipe(
  Argument.withDescription("Id, email address or LinkedIn URL of the lead")
)

const replyCommand = Command.make(
  "reply",
  {
    lead: leadArgument,
    text: textOr("text", "Thanks, that sounds interesting. When do you have time?", "What the lead writes"),
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

/** A command for something that happens to a lead. */
const eventCommand = (name: string, event: "accepted" | "bounced", short: string, text: string, example: string) =>
  Command.make(name, { lead: leadArgument, baseUrl, json }, ({ lead, ...common }) =>
    withTarget(common, (target) => happen(target, lead, event, common.json))
  ).pipe(
    Command.withDescription(text),
    Command.withShortDescription(short),
    Command.withExamples([{ command: `svc simulate ${name} alan@example.com`, description: example }])
  )

const acceptCommand = eventCommand(
  "accept",
  "accepted",
  "Let a lead accept an invitation",
  "Let a lead accept the invitation that was sent to them, on the simulated LinkedIn: what waits for it is sent, and events and webhooks follow",
  "An accepted invitation"
)

const bounceCommand = eventCommand(
  "bounce",
  "bounced",
  "Let a lead's email address bounce",
  "Let the simulated mail server refuse the lead's email address until the service stops: emails that wait or are sent to it fail, as with a real refusal",
  "Before the email is sent"
)

/** `svc simulate`. */
export const simulate = Command.make("simulate").pipe(
  Command.withDescription("Simulate replies, and emails that are refused"),
  Command.withSubcommands([replyCommand, acceptCommand, bounceCommand])
)
