/** Finds repeated texts in an offer, ignoring case, accents, punctuation and white space. */
import type { Finding } from "../../kernel/schema/Finding.ts"
import type { OfferContent } from "../Offer.ts"

const folded = (text: string): string =>
  text
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "")

const twice = <Field extends string>(
  list: string,
  field: Field,
  what: string,
  items: ReadonlyArray<Readonly<Record<Field, string | null>>>
): ReadonlyArray<Finding> => {
  const first = new Map<string, number>()
  return items.flatMap((item, index): ReadonlyArray<Finding> => {
    const key = folded(item[field] ?? "")
    const earlier = first.get(key)
    if (key === "") return []
    if (earlier === undefined) {
      first.set(key, index)
      return []
    }
    const message = `This ${what} is the same as ${list}[${earlier}]. Keep one of them.`
    return [{ path: `${list}[${index}].${field}`, severity: "warning", code: "duplicate", message }]
  })
}

const same = (path: string, text: string, other: string, what: string): ReadonlyArray<Finding> =>
  folded(text) !== "" && folded(text) === folded(other)
    ? [{ path, severity: "warning", code: "duplicate", message: `This only repeats the ${what}. Say something new.` }]
    : []

/** Findings on repetitions. */
export const repeats = (offer: OfferContent): ReadonlyArray<Finding> => [
  ...same("one_liner", offer.oneLiner, offer.name, "name"),
  ...same("value_proposition", offer.valueProposition, offer.oneLiner, "one-liner"),
  ...same("description", offer.description ?? "", offer.valueProposition, "value proposition"),
  ...twice("references", "content", "proof", offer.references),
  ...twice("problem_solutions", "problem", "problem", offer.problemSolutions),
  ...offer.problemSolutions.flatMap(({ problem, solution }, index) =>
    same(`problem_solutions[${index}].solution`, solution, problem, "problem")
  ),
  ...twice("differentiators", "title", "differentiator", offer.differentiators),
  ...offer.differentiators.flatMap(({ description, title }, index) =>
    same(`differentiators[${index}].description`, description ?? "", title, "title")
  ),
  ...twice("resources", "url", "address", offer.resources)
]
