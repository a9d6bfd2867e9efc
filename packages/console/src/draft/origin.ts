/** Where an item comes from, in words. Pure. */
import { actorName, type People } from "../live/People.ts"
import { dateAndTime } from "../queue/times.ts"
import type { Details } from "../service/shapes.ts"

type Step = Details["provenance"][number]

const verbs: Readonly<Record<Step["action"], string>> = {
  created: "Written",
  updated: "Changed",
  approved: "Approved",
  approved_with_edits: "Approved with edits",
  rejected: "Rejected",
  rewrite_requested: "Rewrite requested",
  reopened: "Reopened",
  cancelled: "Cancelled"
}

/** One step: what, by whom, with which program and model, when. */
const lineOf = (people: People, { action, actor_kind, at, client, model, user_id }: Step): string => {
  const program = client === null ? "" : ` with ${[client.name, client.version].filter(Boolean).join(" ")}`
  const written = model === null ? "" : ` (model ${model})`
  return `${verbs[action]} by ${actorName(people, actor_kind, user_id)}${program}${written}, ${dateAndTime(at)}`
}

const shownSteps = 5

/** The first step and the latest ones, oldest first. */
export const originOf = (people: People, steps: Details["provenance"]): ReadonlyArray<string> => {
  const lines = steps.map((step) => lineOf(people, step))
  const left = lines.length - shownSteps
  return left <= 0 ? lines : [...lines.slice(0, 1), `… ${left} more …`, ...lines.slice(1 - shownSteps)]
}
