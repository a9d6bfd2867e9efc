/** The bar at the top: the places with what waits there, search, and who is signed in. */
import { perform, pressed } from "../keys/actions.ts"
import { shownKey } from "../keys/keyMap.ts"
import { type Place, places, route } from "../place/route.ts"
import { Link } from "./Link.tsx"
import { Search } from "./Search.tsx"
import { session, totals, waiting } from "./state.ts"

const number = new Intl.NumberFormat()

/** Offers and agents are tabs of the missions. */
const parentOf = (place: Place): Place => (place === "offers" || place === "agents" ? "missions" : place)

const countOf = (place: Place): number | undefined =>
  ({ review: totals.value?.to_review, replies: totals.value?.replies_waiting })[place as "review" | "replies"]

/** The name of the place that is shown, with what waits there, for the title of the window. */
export const titleOf = (): string => {
  const { place } = route.value
  const count = countOf(place) ?? 0
  const name = places.find(([one]) => one === place)?.[1] ?? ""
  return `${name}${count > 0 ? ` (${number.format(count)})` : ""} · svc`
}

/** The bar. */
export const Bar = () => {
  const person = session.value.state === "in" ? session.value.person : undefined
  const current = parentOf(route.value.place)
  return (
    <header class="bar line">
      <nav class="places" aria-label="Places">
        {places
          .filter(([place]) => parentOf(place) === place)
          .map(([place, text]) => {
            const count = countOf(place) ?? 0
            return (
              <Link key={place} class="place quiet" to={{ place }} isCurrent={place === current}>
                {text}
                {count > 0 && <span class="total digits tiny">{number.format(count)}</span>}
              </Link>
            )
          })}
      </nav>
      <Search />
      <button
        type="button"
        class="plain"
        onClick={() => perform("palette", pressed())}
        title={`Commands (${shownKey("mod+K")})`}
      >
        <kbd>{shownKey("mod+K")}</kbd>
        <span class="hidden">Commands</span>
      </button>
      <span class="who line small quiet cut" title={person?.organization}>
        {waiting.value.length > 0 && <span class="unsent">{waiting.value.length} to send</span>}
        <bdi>{person?.name}</bdi>
      </span>
    </header>
  )
}
