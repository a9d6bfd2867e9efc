/** What somebody else changed in the text that was just on the screen. */
import { changed } from "../screen/state.ts"
import type { Details } from "../service/shapes.ts"
import { differenceOf } from "./difference.ts"
import { textsOf } from "./Reading.ts"

/** Two texts as one, with what is gone and what is new. */
export const Difference = ({ after, before }: { readonly before: string; readonly after: string }) => (
  <div class="difference prose" dir="auto">
    {differenceOf(before, after).map(({ kind, text }, index) => {
      if (kind === "removed")
        return (
          <del key={`${index}`} class="error">
            {text}
          </del>
        )
      return kind === "added" ? <ins key={`${index}`}>{text}</ins> : text
    })}
  </div>
)

/** The change; nothing where it was our own. */
export const Changed = ({ details, index }: { readonly details: Details; readonly index: number }) => {
  const change = changed.value.get(details.item.item_id)
  if (change === undefined || change.by === "you") return null
  const before = textsOf(change.before)[index] ?? ""
  const after = textsOf(details)[index] ?? ""
  return (
    <section class="changed panel" role="status" aria-label="Change">
      <p>
        <strong>Changed by {change.by || "someone else"}</strong> while you were reading.
        <button
          type="button"
          class="plain"
          onClick={() => {
            changed.value = new Map([...changed.value].filter(([id]) => id !== details.item.item_id))
          }}
        >
          Hide
        </button>
      </p>
      {before !== after && <Difference before={before} after={after} />}
    </section>
  )
}
