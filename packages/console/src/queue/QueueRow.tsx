/** One row of the queue. */
import { Mark, Row, Sign } from "../list/Row.tsx"
import { counted } from "../missions/words.ts"
import { useClock } from "../screen/useClock.ts"
import type { Item } from "../service/shapes.ts"
import { countdown, shortAge } from "./times.ts"

const nouns = { message: "", invitation: "Invitation", email: "Email", approval: "Approval request", reply: "Reply" }

const When = ({ item: { leaves_at, snoozed_until, updated_at } }: { readonly item: Item }) => {
  const now = useClock()
  if (leaves_at !== null) return <span class="leaving">{countdown(leaves_at, now)}</span>
  return <>{snoozed_until === null ? shortAge(updated_at, now) : `until ${countdown(snoozed_until, now)}`}</>
}

const Signs = ({ item }: { readonly item: Item }) => {
  const { errors, warnings } = item.findings
  return (
    <>
      {item.flagged && <Mark icon="flag" text="Flagged" />}
      {errors > 0 && <Sign tone="error">{counted(errors, "error")}</Sign>}
      {errors === 0 && warnings > 0 && <Sign tone="warning">{counted(warnings, "warning")}</Sign>}
      {item.rewrite_requested && <Sign>Rewrite asked for</Sign>}
    </>
  )
}

interface RowProps {
  readonly item: Item
  readonly isSelected: boolean
  readonly isMarked: boolean
  readonly onOpen: () => void
}

/** The row. */
export const QueueRow = ({ isMarked, isSelected, item, onOpen }: RowProps) => {
  const { item_id, kind, lead, preview, problem } = item
  const noun = nouns[kind]
  return (
    <Row
      id={item_id}
      isSelected={isSelected}
      isMarked={isMarked}
      onOpen={onOpen}
      name={lead?.name ?? (kind === "approval" ? preview : noun || "Unknown")}
      company={lead?.company_name}
      when={<When item={item} />}
      isProblem={problem !== null}
      preview={problem ?? (kind === "approval" ? "" : preview)}
      signs={
        <>
          {isMarked && <Mark icon="check" text="Selected" />}
          <Signs item={item} />
          {noun !== "" && (lead !== null || kind === "approval") && <Sign>{noun}</Sign>}
        </>
      }
    />
  )
}
