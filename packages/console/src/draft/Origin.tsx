/** What the claims of the text rest on, and who wrote, changed and reviewed it. */
import { people } from "../screen/state.ts"
import type { Details } from "../service/shapes.ts"
import { originOf } from "./origin.ts"

type Item = Details["evidence"][number]

const Claim = ({ item }: { readonly item: Item }) => (
  <li class="claim">
    <q>{item.claim}</q>
    {item.is_stale && <span class="sign">No longer in the text</span>}
    <ul class="plain-list quiet">
      {item.references.map((reference, index) => (
        <li key={reference}>
          <code>{reference}</code> {item.facts[index] ?? <span class="quiet">Not known</span>}
        </li>
      ))}
    </ul>
  </li>
)

/** Both lists. `index` is the variation that is shown; of an approved text, all evidence of its variation is. */
export const Origin = ({ details, index }: { readonly details: Details; readonly index: number }) => {
  const { draft, evidence, provenance } = details
  const shown = draft?.selected_body_text == null ? index : draft.selected_variation_index
  const own = evidence.filter(({ variation_index }) => shown === null || variation_index === shown)
  const lines = originOf(people.value, provenance)
  return (
    <>
      {own.length > 0 && (
        <section class="origin stack small" aria-label="Evidence">
          <h3>Evidence</h3>
          <ul class="plain-list">
            {own.map((item) => (
              <Claim key={`${item.claim} ${item.references.join()}`} item={item} />
            ))}
          </ul>
        </section>
      )}
      {lines.length > 0 && (
        <section class="origin stack small" aria-label="History">
          <h3>History</h3>
          <ol class="plain-list quiet">
            {lines.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ol>
        </section>
      )}
    </>
  )
}
