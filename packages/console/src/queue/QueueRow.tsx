/** One row of the queue. */
import { Row } from "../list/Row.tsx"
import { Icon } from "../screen/Icon.tsx"
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
      {item.flagged && (
        <span class="sign flagged">
          <Icon name="flag" />
          <span class="hidden">Flagged</span>
        </span>
      )}
      {errors > 0 && <span class="sign error">{errors === 1 ? "1 error" : `${errors} errors`}</span>}
      {errors === 0 && warnings > 0 && (
        <span class="sign warning">{warnings === 1 ? "1 warning" : `${warnings} warnings`}</span>
      )}
      {item.rewrite_requested && <span class="sign">Rewrite asked for</span>}
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
          {isMarked && (
            <span class="sign marked">
              <Icon name="check" />
              <span class="hidden">Selected</span>
            </span>
          )}
          <Signs item={item} />
          {noun !== "" && (lead !== null || kind === "approval") && <span class="sign">{noun}</span>}
        </>
      }
    />
  )
}
