/** One row of the queue. */
import { Icon } from "../screen/Icon.tsx"
import { useClock } from "../screen/useClock.ts"
import type { Item } from "../service/shapes.ts"
import { countdown, shortAge } from "./times.ts"

const nouns = { message: "", invitation: "Invitation", email: "Email", approval: "Approval request", reply: "Reply" }

const When = ({ item }: { readonly item: Item }) => {
  const now = useClock()
  const { leaves_at, snoozed_until, updated_at } = item
  const age = snoozed_until === null ? shortAge(updated_at, now) : `until ${countdown(snoozed_until, now)}`
  return leaves_at === null ? (
    <span class="row-when quiet tiny digits">{age}</span>
  ) : (
    <span class="row-when quiet tiny digits leaving">{countdown(leaves_at, now)}</span>
  )
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
  const { kind, lead, preview, problem } = item
  const noun = nouns[kind]
  return (
    <li class="row-place">
      <button
        type="button"
        class={`row${isMarked ? " marked" : ""}`}
        aria-current={isSelected ? "true" : undefined}
        data-item={item.item_id}
        tabIndex={isSelected ? 0 : -1}
        onClick={onOpen}
      >
        <span class="row-head">
          <span class="row-name cut">{lead?.name ?? (kind === "approval" ? preview : noun || "Unknown")}</span>
          {lead !== null && <span class="row-company cut small quiet">{lead.company_name}</span>}
          <When item={item} />
        </span>
        <span class="row-body">
          {isMarked && (
            <span class="sign marked">
              <Icon name="check" />
              <span class="hidden">Selected</span>
            </span>
          )}
          <Signs item={item} />
          {noun !== "" && (lead !== null || kind === "approval") && <span class="sign">{noun}</span>}
          <span class={`row-preview cut small quiet${problem === null ? "" : " problem"}`}>
            {problem ?? (kind === "approval" ? "" : preview)}
          </span>
        </span>
      </button>
    </li>
  )
}
