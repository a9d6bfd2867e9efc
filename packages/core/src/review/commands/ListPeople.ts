import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Order from "effect/Order"
import * as Schema from "effect/Schema"
import { Actor } from "../../kernel/command/Actor.ts"
import * as Command from "../../kernel/command/Command.ts"
import { Workspaces } from "../../workspace/organizations/Workspaces.ts"

/** `review.people`: the names of those who act in the organization. */
export const ListPeople = Command.make({
  id: "review.people",
  title: "List reviewers and writers",
  summary: "List the names of people and AI agents with a key",
  description:
    "Returns the users that keys of the organization act for, by name: that of each user's oldest key, so that ids in events, " +
    "rejections and approval requests can be shown as names. Users of a host program without a key are not listed.",
  whenToUse: "To show who changed, rejected or asked for something.",
  category: "linkedin",
  risk: "read",
  scope: "linkedin:read",
  effects: { does: ["reads"], channels: ["linkedin"] },
  input: Schema.Struct({}),
  output: Schema.Struct({
    people: Schema.Array(
      Schema.Struct({ user_id: Schema.String, actor_kind: Schema.Literals(["USER", "AI_AGENT"]), name: Schema.String })
    )
  }),
  failures: [],
  relatedCommands: ["review.get", "event.list", "key.list"],
  relatedResources: ["svc://events/recent"],
  examples: [{ title: "Everybody", input: {} }],
  run: Effect.fnUntraced(function* () {
    const { organizationId } = yield* Actor
    const keys = yield* (yield* Workspaces).listKeys(organizationId)
    // The oldest comes first. Sessions have the name of their key.
    const people = new Map<string, { user_id: string; actor_kind: "USER" | "AI_AGENT"; name: string }>()
    for (const { actorKind, name, session, userId } of keys) {
      const id = `${actorKind} ${userId}`
      if (session !== undefined || people.has(id)) continue
      people.set(id, { user_id: userId, actor_kind: actorKind, name })
    }
    return { people: Arr.sortWith(people.values(), ({ name, user_id }) => `${name}\n${user_id}`, Order.String) }
  })
})
