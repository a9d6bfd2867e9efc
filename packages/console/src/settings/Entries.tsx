/** A list inside a section: what is known of each thing, and its buttons. */
import type { ComponentChildren } from "preact"
import { useEffect } from "preact/hooks"
import { Loading } from "../list/ListDetail.tsx"
import { Sign } from "../list/Row.tsx"
import { useEvents } from "../live/useEvents.ts"
import type { Listing } from "../place/Listing.ts"
import { Nothing } from "../screen/Nothing.tsx"
import { Name } from "../text/Prose.tsx"

type Maybe<A> = A | false | null | undefined

/** What an entry shows; what is empty is left out. */
export interface EntryContent {
  readonly name: string
  readonly signs?: ReadonlyArray<Maybe<readonly [text: string, tone?: string]>>
  readonly about: ReadonlyArray<Maybe<string>>
  readonly actions?: ReadonlyArray<Maybe<readonly [text: string, run: () => void]>>
  readonly more?: ComponentChildren
}

const isThere = <A,>(value: Maybe<A>): value is A => value !== false && value != null

/** Entries that need no reading. */
export const EntryList = ({
  entries,
  label
}: {
  readonly label: string
  readonly entries: ReadonlyArray<EntryContent>
}) => (
  <ul aria-label={label}>
    {entries.map(({ about, actions = [], more, name, signs = [] }, index) => (
      <li key={`${index} ${name}`} class="entry stack">
        <p class="line">
          <strong>
            <Name>{name}</Name>
          </strong>
          {signs.filter(isThere).map(([text, tone = ""]) => (
            <Sign key={text} tone={tone}>
              {text}
            </Sign>
          ))}
        </p>
        <p class="quiet">
          <Name>{about.filter(Boolean).join(" · ")}</Name>
        </p>
        <div class="choices">
          {actions.filter(isThere).map(([text, run]) => (
            <button type="button" key={text} onClick={run}>
              {text}
            </button>
          ))}
        </div>
        {more}
      </li>
    ))}
  </ul>
)

interface EntriesProps<A> {
  readonly label: string
  readonly list: Listing<A>
  /** What stands there without any. */
  readonly empty: string
  /** Undefined for one that is not shown. */
  readonly entry: (item: A) => EntryContent | undefined
}

/** A list that is read when it opens, and again after its events. */
export const Entries = <A,>({ empty, entry, label, list }: EntriesProps<A>) => {
  const { cursor, items, problem, state } = list.rows.value
  useEffect(() => void list.open({}), [list])
  useEvents(list.events, list.refresh)
  if (state === "loading") return <Loading />
  if (state === "failed") return <Nothing text={problem ?? ""} help="Try again" onHelp={() => void list.open({})} />
  const entries = items.map(entry).filter(isThere)
  return (
    <>
      {entries.length === 0 && <p class="quiet">{empty}</p>}
      <EntryList label={label} entries={entries} />
      {cursor !== null && (
        <button type="button" onClick={() => void list.more()}>
          Show more
        </button>
      )}
    </>
  )
}
