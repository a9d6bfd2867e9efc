/** The event feed behind REST. Source: contract 7 "Events"; G34. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Actor } from "../Actor.ts"
import * as Command from "../Command.ts"
import { nearestName } from "../Decode.ts"
import { type EventType, eventTypes } from "../Event.ts"
import { type Failure, fail } from "../Failure.ts"
import { Limit } from "../Page.ts"
import { quote } from "../Quote.ts"
import { EventEnvelope, envelopeOf } from "./EventEnvelope.ts"
import { EventFeed } from "./EventFeed.ts"

const isType = (name: string): name is EventType => eventTypes.some((type) => type === name)

/** Types separated by commas. Fails with INVALID_INPUT naming the nearest known one. */
const readTypes = (list: string): Effect.Effect<ReadonlyArray<EventType>, Failure> => {
  const names = list.split(",").map((name) => name.trim())
  const unknown = names.find((name) => !isType(name))
  if (unknown === undefined) return Effect.succeed([...new Set(names.filter(isType))])
  const nearest = nearestName(unknown, eventTypes)
  const hint =
    nearest === undefined ? `Known are ${eventTypes.slice(0, 6).join(", ")} and others.` : `Did you mean ${nearest}?`
  return Effect.fail(fail("INVALID_INPUT", `types: ${quote(unknown, 40)} is no event type. ${hint}`))
}

/** GET /api/v1/events. */
export const RestListEvents = Command.make({
  id: "rest.events.list",
  title: "Read the event feed",
  summary: "What happened in the organization, oldest first, from a place in the feed on.",
  description:
    "Answers the events after the sequence number given as after, from the beginning without it. Pass next as after to " +
    "read on: nothing is missed and nothing comes twice. An empty page says that nothing newer has happened yet.",
  whenToUse: "To keep another system in step with this one, or to catch up after a webhook was missed.",
  category: "workspace",
  risk: "read",
  visibility: "internal",
  scope: "events:read",
  input: Schema.Struct({
    after: Schema.optionalKey(
      Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)).annotate({
        description: "Sequence number of the last event that is known; 0 or nothing for the beginning"
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
    next: Schema.Int.annotate({ description: "Pass it as after to read on" })
  }),
  relatedResources: ["svc://events/recent"],
  examples: [
    { title: "From the beginning", input: { limit: 10 } },
    { title: "New leads and replies", input: { after: 3, types: "lead.created,lead.replied" } }
  ],
  run: Effect.fnUntraced(function* ({ after = 0, limit, types }) {
    const { organizationId } = yield* Actor
    const wanted = types === undefined ? undefined : yield* readTypes(types)
    const page = yield* (yield* EventFeed).read(organizationId, { after, types: wanted, limit })
    return { events: page.events.map(envelopeOf), next: page.next }
  })
})

/** The commands behind the REST endpoints of events. */
export const restCommands = [RestListEvents] as const
