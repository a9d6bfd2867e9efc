/** The event feed. */

import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../kernel/command/Command.ts"
import { Actor } from "../../kernel/command/Execution.ts"
import { InvalidCursor, InvalidInput } from "../../kernel/failure/failures.ts"
import { type EventType, eventTypes } from "../../kernel/journal/Event.ts"
import { nearestName } from "../../kernel/schema/nearestName.ts"
import { Limit } from "../../kernel/schema/Page.ts"
import { quote } from "../../kernel/schema/TextRules.ts"
import { Workspaces } from "../Workspaces.ts"
import { EventEnvelope, envelopeOf } from "./EventFeed.ts"

const isType = (name: string): name is EventType => eventTypes.some((type) => type === name)

/** Parses types separated by commas. Fails with INVALID_INPUT, suggesting the nearest known one. */
const readTypes = (list: string): Effect.Effect<ReadonlyArray<EventType>, InvalidInput> => {
  const names = list.split(",").map((name) => name.trim())
  const unknown = names.find((name) => !isType(name))
  if (unknown === undefined) return Effect.succeed([...new Set(names.filter(isType))])
  const nearest = nearestName(unknown, eventTypes)
  const hint =
    nearest === undefined ? `Known types: ${eventTypes.slice(0, 6).join(", ")} and others.` : `Did you mean ${nearest}?`
  return Effect.fail(new InvalidInput({ message: `types: unknown event type ${quote(unknown, 40)}. ${hint}` }))
}

/** `event.list`: reads the event feed. */
const ListEvents = Command.make({
  id: "event.list",
  title: "Read the event feed",
  summary: "List the events of the organization, oldest first",
  description:
    "Returns the events after the sequence number in after, or from the beginning without it. Pass next as after to " +
    "continue: no event is missed or repeated. An empty page means that nothing newer has happened yet. Fails with " +
    "INVALID_CURSOR where events after that number were deleted because of their age.",
  whenToUse: "To keep another system in step with this one, or to catch up after a webhook was missed.",
  category: "workspace",
  risk: "read",
  scope: "events:read",
  input: Schema.Struct({
    after: Schema.optionalKey(
      Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1e15 })).annotate({
        description: "Sequence number of the last event already read; omit or send 0 for the beginning"
      })
    ),
    types: Schema.optionalKey(
      Schema.String.check(Schema.isBetweenLength(1, 2000)).annotate({
        description: "Only these types, separated by commas, such as lead.created,lead.replied"
      })
    ),
    limit: Limit
  }),
  output: Schema.Struct({
    events: Schema.Array(EventEnvelope),
    next: Schema.Int.annotate({ description: "Pass as after for the next page" })
  }),
  failures: [InvalidCursor],
  relatedCommands: ["webhook.create"],
  relatedResources: ["svc://events/recent"],
  examples: [
    { title: "From the beginning", input: { limit: 10 } },
    { title: "New leads and replies", input: { after: 3, types: "lead.created,lead.replied" } }
  ],
  run: Effect.fnUntraced(function* ({ after = 0, limit, types }) {
    const { organizationId } = yield* Actor
    const wanted = types === undefined ? undefined : yield* readTypes(types)
    const page = yield* (yield* Workspaces).events.read(organizationId, { after, types: wanted, limit })
    if (after > 0 && after < page.oldest - 1) {
      return yield* new InvalidCursor({
        message:
          `Events ${after + 1} to ${page.oldest - 1} were deleted, since the service does not keep events that old. Read what ` +
          `you need with other commands, then continue with after ${page.oldest - 1}.`
      })
    }
    return { events: page.events.map(envelopeOf), next: page.next }
  })
})

/** The commands of this domain. */
export const commands = [ListEvents] as const
