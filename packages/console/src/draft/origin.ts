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

/** `Follow-up 2 of 3: Ask about June`. */
export const followUpName = ({ of, purpose, step }: NonNullable<Details["follow_up"]>): string =>
  `Follow-up ${step} of ${of}: ${purpose}`

type Request = NonNullable<Details["approval"]>["request"]

const listed = (names: ReadonlyArray<string>): string =>
  names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`

const decided = ({ decided_through: client, resolved_by: by, state }: Request, people: People): string => {
  const who = by === null ? "" : ` by ${actorName(people, by.kind, by.user_id)}`
  return `${state}${who}${client === null ? "" : ` in ${client}`}`
}

/** Who asked, until when it can be decided and by whom, or what became of it. `dateOf` shows an instant. */
export const requestFacts = (
  request: Request,
  people: People,
  dateOf: (instant: string) => string
): ReadonlyArray<string> => {
  const { approvers, expires_at, requested_by, resolved_at, state } = request
  const asked = `Approval request of ${actorName(people, requested_by.kind, requested_by.user_id)}`
  if (state === "approved" || state === "rejected") {
    return [asked, decided(request, people), ...(resolved_at === null ? [] : [dateOf(resolved_at)])]
  }
  if (state === "expired") return [asked, `expired ${dateOf(expires_at)}`]
  const who = approvers === null ? [] : [`decided by ${listed(approvers.map((id) => actorName(people, "USER", id)))}`]
  return [asked, `expires ${dateOf(expires_at)}`, ...who]
}
