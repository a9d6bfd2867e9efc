/** Lists inside a card: what is known of each thing, and its buttons. */
import type { ComponentChildren } from "preact"
import { useEffect } from "preact/hooks"
import { useEvents } from "../live/useEvents.ts"
import type { Listing } from "../place/Listing.ts"
import type { Target } from "../place/route.ts"
import { Link } from "../screen/Link.tsx"
import { Nothing } from "../screen/Nothing.tsx"
import { Name, Prose } from "../text/Prose.tsx"
import { Loading } from "./ListDetail.tsx"
import { Sign } from "./Row.tsx"

type Maybe<A> = A | false | null | undefined

/** What an entry shows; what is empty is left out. */
export interface EntryContent {
  readonly name: string
  /** Where its name leads. */
  readonly to?: Target | undefined
  readonly signs?: ReadonlyArray<Maybe<readonly [text: string, tone?: string]>>
  readonly about?: ReadonlyArray<Maybe<string>>
  /** A text of any length. */
  readonly below?: Maybe<string>
  readonly actions?: ReadonlyArray<Maybe<readonly [text: string, run: () => void]>>
  readonly more?: ComponentChildren
}

const isThere = <A,>(value: Maybe<A>): value is A => value !== false && value != null

interface EntryListProps {
  readonly label?: string
  readonly entries: ReadonlyArray<EntryContent>
  /** What stands there without any. */
  readonly empty?: string
}

/** Entries that need no reading. */
export const EntryList = ({ empty, entries, label }: EntryListProps) => (
  <ul class="plain-list" aria-label={label}>
    {entries.length === 0 && empty !== undefined && <li class="quiet">{empty}</li>}
    {entries.map(({ about = [], actions = [], below, more, name, signs = [], to }, index) => (
      <li key={`${index} ${name}`} class="entry line">
        <div class="grow">
          {to === undefined ? (
            <Name>{name}</Name>
          ) : (
            <Link to={to}>
              <Name>{name}</Name>
            </Link>
          )}{" "}
          {signs.filter(isThere).map(([text, tone = ""]) => (
            <Sign key={text} tone={tone}>
              {text}
            </Sign>
          ))}{" "}
          <span class="about quiet small">
            <Name>{about.filter(Boolean).join(" · ")}</Name>
          </span>
          {below && <Prose class="small quiet" text={below} />}
        </div>
        {actions.length > 0 && (
          <div class="choices">
            {actions.filter(isThere).map(([text, run]) => (
              <button type="button" key={text} aria-label={`${text} ${name}`} onClick={run}>
                {text}
              </button>
            ))}
          </div>
        )}
        {more}
      </li>
    ))}
  </ul>
)

interface EntriesProps<A> extends Pick<EntryListProps, "empty" | "label"> {
  readonly list: Listing<A>
  /** Undefined for one that is not shown. */
  readonly entry: (item: A) => EntryContent | undefined
}

/** A list that is read when it opens, and again after its events. */
export const Entries = <A,>({ entry, list, ...shown }: EntriesProps<A>) => {
  const { cursor, items, problem, state } = list.rows.value
  useEffect(() => void list.open({}), [list])
  useEvents(list.events, list.refresh)
  if (state === "loading") return <Loading />
  if (state === "failed") return <Nothing text={problem ?? ""} help="Try again" onHelp={() => void list.open({})} />
  return (
    <>
      <EntryList {...shown} entries={items.map(entry).filter(isThere)} />
      {cursor !== null && (
        <button type="button" onClick={() => void list.more()}>
          Show more
        </button>
      )}
    </>
  )
}
