/** Resources for events. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Actor } from "../kernel/command/Actor.ts"
import * as Resource from "../kernel/resource/Resource.ts"
import { EventEnvelope, envelopeOf } from "../workspace/events/EventEnvelope.ts"
import { EventFeed } from "../workspace/events/EventFeed.ts"

const shown = 50

/** `svc://events/recent`. */
export const recentEventsResource = Resource.make({
  uri: "svc://events/recent",
  name: "recent-events",
  title: "Recent events",
  summary: "Latest events of the organization, newest first, at most 50",
  description: "The latest events of every type. To read all of them in order, use GET /api/v1/events.",
  category: "workspace",
  scope: "events:read",
  relatedCommands: ["workspace.status", "webhook.create"],
  params: Resource.noParams,
  example: {},
  payload: Schema.Struct({ events: Schema.Array(EventEnvelope) }),
  read: Effect.fnUntraced(function* () {
    const { organizationId } = yield* Actor
    const events = yield* (yield* EventFeed).recent(organizationId, shown)
    return { events: events.map(envelopeOf) }
  })
})
