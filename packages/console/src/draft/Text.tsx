/** The text as it will be sent, white space included, with the words of findings underlined. */
import type { Finding } from "../service/shapes.ts"
import { Visible } from "../text/Prose.tsx"
import { segmentsOf } from "./segments.ts"

/** How many characters are left. */
export const Characters = ({ length, max }: { readonly length: number; readonly max: number | null }) =>
  max === null ? (
    <span class="characters quiet tiny digits">{length} characters</span>
  ) : (
    <span class={`characters quiet tiny digits${length > max ? " over" : ""}`}>
      {length > max ? `${length - max} characters too many` : `${max - length} characters left`}
    </span>
  )

interface TextProps {
  readonly text: string
  readonly findings: ReadonlyArray<Finding>
  readonly max: number | null
  readonly isMessage: boolean
}

/** The text. */
export const Text = ({ findings, isMessage, max, text }: TextProps) => (
  <section class="text-place" aria-label="Text">
    <div
      class="text panel prose"
      data-text
      dir="auto"
      tabIndex={0}
      role="group"
      aria-label={isMessage ? "Text as it will be sent" : "What was asked for"}
    >
      {segmentsOf(text, findings).map(({ severity, text: part }, index) =>
        severity === undefined ? (
          <Visible key={`${index}`} text={part} />
        ) : (
          <mark key={`${index}`} class={severity}>
            <Visible text={part} />
          </mark>
        )
      )}
    </div>
    {isMessage && <Characters length={text.length} max={max} />}
  </section>
)
