/** A list of which only the rows on the screen are in the document. */
import type { ComponentChildren } from "preact"
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks"

const rowHeight = 64
const beyond = 6
/** Rows before its end at which the next page is read. */
const ahead = 15

interface ListProps<A> {
  readonly label: string
  readonly items: ReadonlyArray<A>
  readonly idOf: (item: A) => string
  readonly selected: string | undefined
  readonly hasMore: boolean
  readonly onMore: () => void
  readonly row: (item: A, isSelected: boolean) => ComponentChildren
}

/** The list. The selected row is on the screen, and has the focus if a row had it. */
export const List = <A,>({ hasMore, idOf, items, label, onMore, row, selected }: ListProps<A>) => {
  const box = useRef<HTMLUListElement>(null)
  const [scroll, setScroll] = useState({ top: 0, height: 800 })
  const place = items.findIndex((item) => idOf(item) === selected)

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

  // Focus and selection are one: the arrow keys of a focused row move both.
  useEffect(() => {
    const list = box.current
    if (list?.contains(document.activeElement) === true)
      list.querySelector<HTMLElement>("[aria-current]")?.focus({ preventScroll: true })
  }, [selected, scroll.top])

  const first = Math.max(0, Math.floor(scroll.top / rowHeight) - beyond)
  const last = Math.min(items.length, Math.ceil((scroll.top + scroll.height) / rowHeight) + beyond)
  useEffect(() => {
    if (hasMore && last > items.length - ahead) onMore()
  }, [last, hasMore, items.length])

  return (
    <ul
      ref={box}
      class="rows"
      tabIndex={0}
      aria-label={label}
      onScroll={({ currentTarget }) => setScroll({ top: currentTarget.scrollTop, height: currentTarget.clientHeight })}
    >
      <li class="gap" aria-hidden="true" style={{ height: `${first * rowHeight}px` }} />
      {items.slice(first, last).map((item) => (
        <li key={idOf(item)}>{row(item, idOf(item) === selected)}</li>
      ))}
      <li class="gap" aria-hidden="true" style={{ height: `${(items.length - last) * rowHeight}px` }} />
    </ul>
  )
}
