/** Texts that people wrote: in the direction of their language, with hidden characters made visible. */
import { piecesOf } from "./hidden.ts"

/** The text itself, where its place is given. */
export const Visible = ({ text }: { readonly text: string }) => (
  <>
    {piecesOf(text).map(({ code, text: piece }, index) =>
      code === undefined ? (
        piece
      ) : (
        <span key={`${index}`} class="hidden-character" title={`Hidden character ${code}`} data-code={code}>
          {piece}
        </span>
      )
    )}
  </>
)

/** A name or a short text in a line. */
export const Name = ({ children }: { readonly children: string | null | undefined }) => (
  <bdi>
    <Visible text={children ?? ""} />
  </bdi>
)

/** A text of any length, with its line breaks. */
export const Prose = ({ class: more = "", text }: { readonly text: string; readonly class?: string }) => (
  <p class={`prose ${more}`} dir="auto">
    <Visible text={text} />
  </p>
)
