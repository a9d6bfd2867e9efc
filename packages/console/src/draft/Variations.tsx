/** Up to three texts to choose from. */
import { variation } from "../screen/state.ts"
import type { Details } from "../service/shapes.ts"
import { findingsOf } from "./Reading.ts"

interface VariationsProps {
  readonly texts: ReadonlyArray<string>
  readonly index: number
  readonly details: Details
}

/** See above. */
export const Variations = ({ details, index, texts }: VariationsProps) =>
  texts.length < 2 ? null : (
    <div class="variations" role="group" aria-label="Variations">
      {texts.map((text, at) => {
        const errors = findingsOf(details, at).filter(({ severity }) => severity === "error").length
        return (
          <button
            type="button"
            key={text}
            class="variation"
            aria-pressed={at === index}
            onClick={() => {
              variation.value = at
            }}
          >
            <kbd>{at + 1}</kbd>
            <span class="variation-text">{text}</span>
            {errors > 0 && <span class="sign error">{errors}</span>}
          </button>
        )
      })}
    </div>
  )
