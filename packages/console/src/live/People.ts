/** Names for the ids of those who act in the organization. Pure. */
import type { ResultOf } from "../service/shapes.ts"

/** The names, by kind of actor and id of the user. */
export type People = ReadonlyMap<string, string>

/** What `review.people` returned, by whom it is. */
export const peopleOf = ({ people }: ResultOf<"review.people">): People =>
  new Map(people.map(({ actor_kind, name, user_id }) => [`${actor_kind} ${user_id}`, name]))

/** The name of an actor. An AI agent that uses a person's key is that person's; ids of a host's users are shown as they are; … stands for names that are not read yet. */
export const actorName = (people: People, kind: string, id: string): string => {
  if (kind === "SYSTEM") return "the service"
  const own = people.get(`${kind} ${id}`)
  if (own !== undefined) return own
  const person = people.get(`USER ${id}`) ?? (id.startsWith("usr_") ? undefined : id)
  if (kind === "AI_AGENT") return person === undefined ? "an AI agent" : `the AI agent of ${person}`
  return person ?? people.get(`AI_AGENT ${id}`) ?? (people.size === 0 ? "…" : "someone else")
}
