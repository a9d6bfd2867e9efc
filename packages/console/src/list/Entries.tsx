/** Lines of a card: a text or a link, what belongs to it, and a button. */
import type { Target } from "../place/route.ts"
import { Link } from "../screen/Link.tsx"
import { Name, Prose } from "../text/Prose.tsx"

/** A line. */
interface Entry {
  readonly id: string
  readonly text: string
  readonly to?: Target | undefined
  readonly info?: string
  readonly below?: string | null | undefined
  readonly act?: { readonly text: string; readonly run: () => void }
}

interface Props {
  readonly entries: ReadonlyArray<Entry>
  /** What stands there without any. */
  readonly empty?: string
}

/** The lines. */
export const Entries = ({ empty, entries }: Props) => (
  <ul class="plain-list">
    {entries.length === 0 && <li class="quiet">{empty}</li>}
    {entries.map(({ act, below, id, info, text, to }) => (
      <li key={id} class="line">
        <div class="grow">
          {to === undefined ? (
            <Name>{text}</Name>
          ) : (
            <Link to={to}>
              <Name>{text}</Name>
            </Link>
          )}{" "}
          <span class="quiet small">{info}</span>
          {below && <Prose class="small quiet" text={below} />}
        </div>
        {act !== undefined && (
          <button type="button" onClick={act.run}>
            {act.text} <span class="hidden">{text}</span>
          </button>
        )}
      </li>
    ))}
  </ul>
)
