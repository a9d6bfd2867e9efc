/** The forms of an offer, as data. */
import { area, choice, type Field, line, url } from "../form/values.ts"
import { titleCase } from "./words.ts"

const required = { required: true }

/** Its texts. */
export const offerFields: ReadonlyArray<Field> = [
  line("name", "Name", { required: true, maxLength: 200 }),
  area("one_liner", "In one sentence", 2, { maxLength: 300 }),
  area("value_proposition", "What the customer gains", 3, { maxLength: 2_000 }),
  area("description", "Description", 5, { maxLength: 10_000 }),
  url("landing_page_url", "Landing page"),
  url("sales_brief_url", "Sales brief")
]

const proof: ReadonlyArray<Field> = [
  choice("type", "Kind", {
    TESTIMONIAL: "Testimonial",
    CASE_STUDY: "Case study",
    PRESS: "Press",
    SECTOR_REFERENCE: "Reference in a sector",
    STATS: "Figures",
    OTHER: "Other"
  }),
  area("content", "Evidence", 4, { required: true, hint: "The quote, case or figures." }),
  line("title", "Title"),
  line("keyResult", "Key result"),
  line("author", "Author"),
  line("jobTitle", "Job title of the author"),
  line("company", "Company"),
  line("industry", "Industry"),
  line("source", "Source"),
  url("url", "URL")
]

const materials = ["ARTICLE", "GUIDE", "VIDEO", "WEBINAR", "EVENT", "TUTORIAL", "PLAYBOOK", "OTHER"]

const material: ReadonlyArray<Field> = [
  { name: "type", label: "Kind", kind: "choice", options: materials.map((kind) => [kind, titleCase(kind)]) },
  line("title", "Title", required),
  area("description", "Description", 2),
  url("url", "URL")
]

const problems: ReadonlyArray<Field> = [
  area("problem", "Problem", 2, required),
  area("solution", "Solution", 2, required),
  line("feature", "Feature that solves it", required)
]

const differences = [line("title", "Title", required), area("description", "Description", 2)]

/** Its lists: the name of each in an offer and in a change, a title, what adds an entry, and the fields of one. */
export const offerLists = [
  ["references", "references", "Proof", "Add proof", proof],
  ["problemSolutions", "problem_solutions", "Problems it solves", "Add a problem", problems],
  ["differentiators", "differentiators", "What sets it apart", "Add a difference", differences],
  ["resources", "resources", "Material to share", "Add material", material]
] as const
