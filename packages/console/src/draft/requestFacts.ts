/** What is said of an approval request above its input. Pure. */
import { actorName, type People } from "../live/People.ts"
import type { Details } from "../service/shapes.ts"

type Request = NonNullable<Details["approval"]>["request"]

const listed = (names: ReadonlyArray<string>): string =>
  names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`

const decided = ({ decided_through: client, resolved_by: by }: Request, verb: string, people: People): string => {
  const who = by === null ? "" : ` by ${actorName(people, by.kind, by.user_id)}`
  return `${verb}${who}${client === null ? "" : ` in ${client}`}`
}

/** Who asked, until when it can be decided and by whom, or what became of it. `dateOf` shows an instant. */
export const requestFacts = (
  request: Request,
  people: People,
  dateOf: (instant: string) => string
): ReadonlyArray<string> => {
  const { approvers, expires_at, requested_by, resolved_at, state } = request
  const asked = `Approval request of ${actorName(people, requested_by.kind, requested_by.user_id)}`
  const when = resolved_at === null ? [] : [dateOf(resolved_at)]
  if (state === "approved") return [asked, decided(request, "approved", people), ...when]
  if (state === "rejected") return [asked, decided(request, "rejected", people), ...when]
  if (state === "expired") return [asked, `expired ${dateOf(expires_at)}`]
  const who = approvers === null ? [] : [`decided by ${listed(approvers.map((id) => actorName(people, "USER", id)))}`]
  return [asked, `expires ${dateOf(expires_at)}`, ...who]
}
