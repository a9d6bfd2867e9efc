/** One row of the queue. */
import { Mark, type RowContent, Sign } from "../list/Row.tsx"
import { counted } from "../missions/words.ts"
import { marked } from "../screen/state.ts"
import { useClock } from "../screen/useClock.ts"
import type { Item } from "../service/shapes.ts"
import { countdown, shortAge } from "./times.ts"

const nouns = { message: "", invitation: "Invitation", email: "Email", approval: "Approval request", reply: "Reply" }

/** How old an item is, or when it is sent or comes back. */
export const When = ({ item: { leaves_at, snoozed_until, updated_at } }: { readonly item: Item }) => {
  const now = useClock()
  if (leaves_at !== null) return <>{countdown(leaves_at, now)}</>
  return <>{snoozed_until === null ? shortAge(updated_at, now) : `until ${countdown(snoozed_until, now)}`}</>
}

/** What a row shows. */
export const rowOf = (item: Item): RowContent => {
  const { findings, item_id, kind, lead, preview, problem } = item
  const { errors, warnings } = findings
  const noun = nouns[kind]
  const isMarked = marked.value.has(item_id)
  return {
    isMarked,
    name: lead?.name ?? (kind === "approval" ? preview : noun || "Unknown"),
    company: lead?.company_name,
    when: <When item={item} />,
    isProblem: problem !== null,
    preview: problem ?? (kind === "approval" ? "" : preview),
    signs: (
      <>
        {isMarked && <Mark icon="check" text="Selected" />}
        {item.flagged && <Mark icon="flag" text="Flagged" />}
        {errors > 0 && <Sign tone="error">{counted(errors, "error")}</Sign>}
        {errors === 0 && warnings > 0 && <Sign tone="warning">{counted(warnings, "warning")}</Sign>}
        {item.rewrite_requested && <Sign>Rewrite asked for</Sign>}
        {noun !== "" && (lead !== null || kind === "approval") && <Sign>{noun}</Sign>}
      </>
    )
  }
}
