/** The left column: the queue, of which only the rows on the screen are in the document. */
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks"
import { perform, pressed, select } from "../keys/actions.ts"
import { Nothing } from "../screen/Nothing.tsx"
import { column, counts, marked, queue } from "../screen/state.ts"
import { placeOf } from "./Queue.ts"
import { QueueRow } from "./QueueRow.tsx"
import { openTab, readPage } from "./reading.ts"

const rowHeight = 64
const beyond = 6

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
  const leaving = tab === "to_review" && today > 0 ? ` ${today} ${today === 1 ? "leaves" : "leave"} today.` : ""
  return <Nothing text={`${emptyTexts[tab]}${leaving}`} />
}

const Skeleton = () => (
  <div class="skeleton" role="status">
    <span class="hidden">Loading the queue…</span>
    {Array.from({ length: 8 }, (_, index) => (
      <div class="skeleton-row" key={index} aria-hidden="true" />
    ))}
  </div>
)

const Rows = () => {
  const box = useRef<HTMLUListElement>(null)
  const [scroll, setScroll] = useState({ top: 0, height: 800 })
  const { cursor, items, selected } = queue.value
  const place = placeOf(queue.value)

  useLayoutEffect(() => {
    const list = box.current
    if (list === null) return
    const measure = () => setScroll({ top: list.scrollTop, height: list.clientHeight })
    measure()
    const watching = new ResizeObserver(measure)
    watching.observe(list)
    return () => watching.disconnect()
  }, [])

  useLayoutEffect(() => {
    const list = box.current
    if (list === null || place === -1) return
    const top = place * rowHeight
    if (top < list.scrollTop) list.scrollTop = top
    else if (top + rowHeight > list.scrollTop + list.clientHeight) list.scrollTop = top + rowHeight - list.clientHeight
  }, [place])

  const first = Math.max(0, Math.floor(scroll.top / rowHeight) - beyond)
  const last = Math.min(items.length, Math.ceil((scroll.top + scroll.height) / rowHeight) + beyond)
  useEffect(() => {
    if (cursor !== null && last > items.length - 15) void readPage("next")
  }, [last, cursor, items.length])

  return (
    <ul
      ref={box}
      class="rows"
      tabIndex={0}
      aria-label="Items"
      onScroll={({ currentTarget }) => setScroll({ top: currentTarget.scrollTop, height: currentTarget.clientHeight })}
    >
      <li class="gap" aria-hidden="true" style={{ height: `${first * rowHeight}px` }} />
      {items.slice(first, last).map((item) => (
        <QueueRow
          key={item.item_id}
          item={item}
          isSelected={item.item_id === selected}
          isMarked={marked.value.has(item.item_id)}
          onOpen={() => {
            select(item.item_id)
            column.value = "draft"
          }}
        />
      ))}
      <li class="gap" aria-hidden="true" style={{ height: `${(items.length - last) * rowHeight}px` }} />
    </ul>
  )
}

const Batch = () => {
  const count = marked.value.size
  if (count === 0) return null
  return (
    <div class="batch line" role="status">
      <span>{count} selected</span>
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
  return (
    <section class="queue" aria-label="Queue" aria-busy={state === "loading"}>
      <Batch />
      {state === "loading" && <Skeleton />}
      {state === "failed" && (
        <Nothing text="Couldn't load the queue." help="Try again" onHelp={() => openTab(queue.value.tab)} />
      )}
      {state === "ready" && (items.length === 0 ? <Empty /> : <Rows />)}
    </section>
  )
}
