/** The left column of Review: the queue. */
import { useEffect } from "preact/hooks"
import { perform, pressed, select } from "../keys/actions.ts"
import { List } from "../list/List.tsx"
import { Loading } from "../list/ListDetail.tsx"
import { Nothing } from "../screen/Nothing.tsx"
import { column, counts, marked, moving, queue } from "../screen/state.ts"
import { QueueRow } from "./QueueRow.tsx"
import { openTab, readPage } from "./reading.ts"

const emptyTexts = {
  to_review: "All clear.",
  approved: "Nothing waiting to send.",
  sent: "Nothing was sent in the last 30 days.",
  replies: "Nobody wrote in the last 30 days.",
  problems: "No problems.",
  snoozed: "Nothing is snoozed."
}

const Empty = () => {
  const { filters, tab } = queue.value
  if (Object.keys(filters).length > 0) {
    return <Nothing text="Nothing matches the filters." help="Clear filters" onHelp={() => openTab(tab, {})} />
  }
  const today = counts.value?.leaving_today ?? 0
  const leaving =
    tab === "to_review" && today > 0 ? ` ${today} ${today === 1 ? "message leaves" : "messages leave"} today.` : ""
  return <Nothing text={`${emptyTexts[tab]}${leaving}`} />
}

const Rows = () => {
  const { cursor, items, selected } = queue.value
  return (
    <List
      label="Items"
      items={items}
      idOf={({ item_id }) => item_id}
      selected={selected}
      hasMore={cursor !== null}
      onMore={() => void readPage("next")}
      row={(item, isSelected) => (
        <QueueRow
          item={item}
          isSelected={isSelected}
          isMarked={marked.value.has(item.item_id)}
          onOpen={() => {
            select(item.item_id)
            column.value = "draft"
          }}
        />
      )}
    />
  )
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

/** The column. */
export const QueueList = () => {
  const { items, state } = queue.value
  useEffect(() => {
    moving.value = {
      ids: () => queue.value.items.map(({ item_id }) => item_id),
      selected: () => queue.value.selected,
      select,
      isWhole: () => queue.value.state !== "loading" && queue.value.cursor === null,
      more: () => readPage("next")
    }
    return () => {
      moving.value = undefined
    }
  }, [])
  return (
    <section class="queue" aria-label="Queue" aria-busy={state === "loading"}>
      <Batch />
      {state === "loading" && <Loading />}
      {state === "failed" && (
        <Nothing text="Couldn't load the queue." help="Try again" onHelp={() => openTab(queue.value.tab)} />
      )}
      {state === "ready" && (items.length === 0 ? <Empty /> : <Rows />)}
    </section>
  )
}
