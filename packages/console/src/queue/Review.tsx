/** The place Review: the tabs of the queue, the item that is open, and its lead. */
import { useEffect } from "preact/hooks"
import { Draft } from "../draft/Draft.tsx"
import { perform, pressed, showTab } from "../keys/actions.ts"
import { LeadColumn } from "../lead/Lead.tsx"
import { ListDetail } from "../list/ListDetail.tsx"
import { route } from "../place/route.ts"
import { Icon } from "../screen/Icon.tsx"
import { counts, marked } from "../screen/state.ts"
import type { Tab } from "../service/shapes.ts"
import { reviewTabs } from "./Queue.ts"
import { rowOf } from "./QueueRow.tsx"
import { current, queue, readCounts, shownQueue } from "./reading.ts"

const emptyTexts = {
  to_review: "All clear.",
  approved: "Nothing waiting to send.",
  sent: "Nothing was sent in the last 30 days.",
  replies: "Nobody wrote in the last 30 days.",
  problems: "No problems.",
  snoozed: "Nothing is snoozed."
}

const emptyText = (tab: Tab): string => {
  const today = counts.value?.leaving_today ?? 0
  const leaving =
    tab === "to_review" && today > 0 ? ` ${today} ${today === 1 ? "message leaves" : "messages leave"} today.` : ""
  return emptyTexts[tab] + leaving
}

const Batch = () => {
  const count = marked.value.size
  if (count === 0) return null
  return (
    <div class="batch line" role="status">
      <span class="grow">{count} selected</span>
      <button type="button" class="primary" onClick={() => perform("approve", pressed())}>
        Approve… <kbd>A</kbd>
      </button>
      <button type="button" onClick={() => perform("back", pressed())}>
        Clear
      </button>
    </div>
  )
}

/** The place. */
export const Review = () => {
  const [tab, filters] = shownQueue()
  const count = Object.keys(filters).length
  useEffect(() => void readCounts(), [route.value.query])
  return (
    <ListDetail
      label="Review queue"
      list={queue}
      row={rowOf}
      empty={emptyText(tab)}
      isFirstOpen
      above={<Batch />}
      tabs={{
        names: reviewTabs.map(([name, text]) => [name, text, counts.value?.[name]]),
        selected: tab,
        onSelect: (name) => showTab(name as Tab)
      }}
      tools={
        <button type="button" class="plain" onClick={() => perform("filters", pressed())} title="Filter (⇧F)">
          <Icon name="filter" /> Filter
          {count > 0 && <span class="sign">{count}</span>}
        </button>
      }
      detail={(id) => <Draft id={id} />}
      side={<LeadColumn details={current.value} />}
    />
  )
}
