/** The filters of the leads, as the URL says them and as `lead.search` takes them. Pure. */
import { choice, type Field, linesOf, type Options } from "../form/values.ts"
import { statuses } from "../lead/statuses.ts"
import { startOfDay } from "../queue/times.ts"
import type { InputOf } from "../service/shapes.ts"
import { type OwnField, ownInput } from "./ownFields.ts"

/** The filters of the line of tools. */
export const usualFilters = (
  missions: Options,
  saved: ReadonlyArray<{ readonly name: string }>
): ReadonlyArray<Field> => [
  { name: "status", label: "Status", options: [["", "Any status"], ...statuses] },
  { name: "mission_id", label: "Mission", options: [["", "All missions"], ...missions] },
  choice("sort", "Order", {
    "": "Latest change first",
    action: "Most urgent first",
    score: "Highest score first",
    name: "By name"
  }),
  {
    name: "saved_filter",
    label: "Saved filter",
    options: [["", "No saved filter"], ...saved.map(({ name }) => [name, name] as const)]
  }
]

const yesOrNo = { "": "Any", true: "Yes", false: "No" }

/** The filters of the dialog. */
export const moreFilters: ReadonlyArray<Field> = [
  { name: "company", label: "Company", autofocus: true },
  { name: "job_title", label: "Job title" },
  { name: "first_name", label: "First name" },
  { name: "last_name", label: "Last name" },
  { name: "email", label: "Email address" },
  { name: "tags", label: "Tags", kind: "list", rows: 2, hint: "All of these, one per line" },
  { name: "score_min", label: "Minimum score", kind: "number", min: 0, max: 100 },
  choice("needs_action", "Has something to do", yesOrNo),
  choice("has_conversation", "Has messages", yesOrNo),
  choice("has_email", "Has an email address", yesOrNo),
  choice("is_flagged", "Flagged", yesOrNo),
  choice("relation", "LinkedIn", { "": "Any", connected: "Connected", invited: "Invited", none: "Not connected" }),
  { name: "created_after", label: "Added since", kind: "date" },
  { name: "updated_after", label: "Changed since", kind: "date" },
  { name: "import_id", label: "Import", hint: "Its id, as a link from an import sets it" }
]

const taken = ["query", "status", "mission_id", "sort", "saved_filter", ...moreFilters.map(({ name }) => name)]

const valueOf = (name: string, text: string): unknown => {
  const kind = moreFilters.find((field) => field.name === name)?.kind
  if (name === "status") return text.split(",")
  if (kind === "list") return linesOf(text)
  if (kind === "number") return Number(text)
  if (kind === "date") return Number.isNaN(Date.parse(text)) ? text : startOfDay(text)
  return kind === "choice" && /^(?:true|false)$/.test(text) ? text === "true" : text
}

/** The input of `lead.search` for a query of the URL. Days begin in the reader's time zone. */
export const searchOf = (query: Readonly<Record<string, string>>, own: ReadonlyArray<OwnField>) => {
  const given = Object.entries(query).filter(([, text]) => text !== "")
  const plain = given.filter(([name]) => taken.includes(name)).map(([name, text]) => [name, valueOf(name, text)])
  return { ...Object.fromEntries(plain), ...ownInput(Object.fromEntries(given), own) } as InputOf<"lead.search">
}
