/** What waits for the person who is signed in, with links that keys move in. */
import { useEffect } from "preact/hooks"
import { followUpActs } from "../leads/followUps.ts"
import { EntryList } from "../list/Entries.tsx"
import { Nothing } from "../screen/Nothing.tsx"
import { moving } from "../screen/state.ts"
import { type Need, needsOf, type Waiting } from "./needs.ts"
import type { Figures } from "./reading.ts"

const links = (): ReadonlyArray<HTMLElement> => [...document.querySelectorAll<HTMLElement>(".needs a[href]")]

/** The links by their place on the page: one of them has the focus. */
export const useNeedKeys = (): void =>
  useEffect(() => {
    moving.value = {
      ids: () => links().map((_, at) => String(at)),
      selected: () => String(links().indexOf(document.activeElement as HTMLElement)),
      select: (at) => links()[Number(at)]?.focus(),
      isWhole: () => true,
      more: async () => false
    }
    return () => {
      moving.value = undefined
    }
  }, [])

const NeedView = ({ count, entries, title, to }: Need) => (
  <li class="card stack small panel">
    <h2>
      {title} <span class="digits quiet">{count}</span>
    </h2>
    <EntryList
      entries={[
        ...entries.map(({ name, planned, text, to }) => {
          return { name, to, about: [text], actions: planned === undefined ? [] : followUpActs(planned) }
        }),
        { name: `Show ${count === 1 ? "it" : `all ${count}`}`, to }
      ]}
    />
  </li>
)

interface Props {
  readonly waiting: Waiting
  readonly figures: Figures | undefined
}

/** The view. */
export const NeedsView = ({ figures, waiting }: Props) => {
  const isHeld = figures?.forecast?.on_hold === true
  const needs = needsOf({ ...waiting, windows: figures?.usage?.windows })
  return (
    <>
      {isHeld && (
        <p class="part-problem warning" role="status">
          Sending is on hold for the whole service. Nothing is sent until the hold ends.
        </p>
      )}
      {needs.length === 0 && !isHeld && <Nothing text="Nothing needs you right now." />}
      {needs.length > 0 && (
        <ul class="needs stack" aria-label="What needs you">
          {needs.map((need) => (
            <NeedView key={need.title} {...need} />
          ))}
        </ul>
      )}
    </>
  )
}
