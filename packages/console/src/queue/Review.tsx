/** The place Review: the tabs of the queue, and its three columns. */
import { Draft } from "../draft/Draft.tsx"
import { perform, pressed, showTab } from "../keys/actions.ts"
import { LeadColumn } from "../lead/Lead.tsx"
import { Tools } from "../list/ListDetail.tsx"
import { Icon } from "../screen/Icon.tsx"
import { counts, current, queue } from "../screen/state.ts"
import type { Tab } from "../service/shapes.ts"
import { QueueList } from "./QueueList.tsx"

/** The tabs, in their order. */
export const reviewTabs: ReadonlyArray<readonly [Tab, string]> = [
  ["to_review", "To review"],
  ["approved", "Approved"],
  ["sent", "Sent"],
  ["replies", "Replies"],
  ["problems", "Problems"],
  ["snoozed", "Snoozed"]
]

/** The place. */
export const Review = () => {
  const { filters, tab } = queue.value
  const count = Object.keys(filters).length
  return (
    <>
      <Tools
        label="Queue"
        tabs={{
          names: reviewTabs.map(([name, text]) => [name, text, counts.value?.[name]]),
          selected: tab,
          onSelect: (name) => showTab(name as Tab)
        }}
      >
        <button type="button" class="plain" onClick={() => perform("filters", pressed())} title="Filter (⇧F)">
          <Icon name="filter" /> Filter
          {count > 0 && <span class="sign">{count}</span>}
        </button>
      </Tools>
      <main class="columns" aria-label="Review">
        <h1 class="hidden">Review</h1>
        <QueueList />
        <Draft />
        <LeadColumn details={current.value} />
      </main>
    </>
  )
}
