/** `svc simulate reply|accept|bounce`: what happens when a lead answers, accepts an invitation, or cannot be reached by email. */
import { InvalidInput, WrongState } from "@svc/core"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import { commandRequest } from "../callCommand.ts"
import { identifierOf } from "../generated/Listed.ts"
import { dataOf, type Target } from "../Target.ts"
import { baseUrl, json } from "./flags.ts"
import { printReply } from "./runCommand.ts"
import { withTarget } from "./withTarget.ts"

const run = (target: Target, id: string, input: object) => target.send(commandRequest(id, JSON.stringify(input)))

/** The lead's id, where LinkedIn is simulated. Fails as a reply, or with WRONG_STATE anywhere else. */
const simulatedLead = Effect.fnUntraced(function* (target: Target, given: string, elsewhere: string) {
  const status = yield* run(target, "workspace.status", {})
  if (status.status >= 400) return status
  // Anywhere else it would stand in the history of a real person.
  if (Object(dataOf(status)["gateway"]).name !== "simulator") {
    return yield* new WrongState({ message: elsewhere })
  }
  const found = yield* run(target, "lead.get", { [identifierOf(given)]: given })
  return found.status >= 400 ? found : String(dataOf(found)["lead_id"])
})

const reply = Effect.fnUntraced(function* (target: Target, given: string, content: string, asJson: boolean) {
  const lead = yield* simulatedLead(
    target,
    given,
    "Replies are only simulated where LinkedIn is. Use svc dev, or record a real one with svc lead message record."
  )
  if (typeof lead !== "string") return yield* printReply(lead, asJson)
  if (content.trim() === "") return yield* new InvalidInput({ message: "--text must not be empty." })
  const input = { lead_id: lead, channel: "LINKEDIN", direction: "inbound", content }
  yield* printReply(yield* run(target, "lead.message.record", input), asJson)
})

/** Tells the service of something that happened to a lead. */
const happen = Effect.fnUntraced(function* (
  target: Target,
  given: string,
  event: "accepted" | "bounced",
  asJson: boolean
) {
  const elsewhere = "This is only simulated where LinkedIn is. Use svc dev."
  const lead = yield* simulatedLead(target, given, elsewhere)
  if (typeof lead !== "string") return yield* printReply(lead, asJson)
  const json = JSON.stringify({ event, lead_id: lead })
  yield* printReply(yield* target.send({ method: "POST", path: "/api/v1/simulator/events", json }), asJson)
})

const leadArgument = Argument.String("lead").pipe(
  Argument.withDescription("Id, email address or LinkedIn URL of the lead")
)

const replyCommand = Command.make(
  "reply",
  {
    lead: leadArgument,
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
  Command.withDescription("Try what happens, on a simulated LinkedIn"),
  Command.withSubcommands([replyCommand, acceptCommand, bounceCommand])
)
