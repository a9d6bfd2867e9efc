/** The filters of the review queue, which apply to the tab that is shown. */
import { choice, type Field, type Options } from "../form/values.ts"
import { askFilters } from "../list/Filters.tsx"
import { agents, missions, readNames } from "../service/names.ts"

const among = (name: string, label: string, options: Options): Field => ({
  name,
  label,
  kind: "choice",
  options: [["", "Any"], ...options]
})

const fields = (): ReadonlyArray<Field> => [
  among("mission_id", "Mission", missions.value),
  among("agent_handle", "Agent", agents.value),
  choice("finding", "Issues", { "": "Any", none: "None", any: "Any issue", error: "Errors" }),
  choice("kind", "Kind", {
    "": "Any",
    message: "LinkedIn messages",
    invitation: "Invitations",
    email: "Emails",
    approval: "Approval requests",
    reply: "Replies"
  }),
  { name: "min_score", label: "Minimum score", kind: "number", min: 0, max: 100 },
  choice("flagged", "Flag", { "": "Any", true: "Only flagged" })
]

/** `⇧F`. */
export const filterQueue = (): void => {
  void readNames()
  askFilters(fields)
}
