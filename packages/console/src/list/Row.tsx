/** One row of a list: a name, what belongs to it, when, and a line below. */
import type { ComponentChildren } from "preact"
import { Icon } from "../screen/Icon.tsx"
import { Name } from "../text/Prose.tsx"

/** What a row shows. */
export interface RowContent {
  readonly name: string
  readonly company?: string | null | undefined
  readonly when?: ComponentChildren
  readonly signs?: ComponentChildren
  readonly preview?: string | null | undefined
  readonly isProblem?: boolean
  readonly isMarked?: boolean
}

interface RowProps extends RowContent {
  readonly id: string
  readonly isSelected: boolean
  readonly onOpen: () => void
}

/** The row. */
export const Row = (props: RowProps) => {
  const { company, id, isMarked = false, isProblem = false, isSelected, name, onOpen, preview, signs, when } = props
  return (
    <button
      type="button"
      class={`row${isMarked ? " marked" : ""}`}
      aria-current={isSelected ? "true" : undefined}
      data-item={id}
      tabIndex={isSelected ? 0 : -1}
      onClick={onOpen}
    >
      <span class="row-head">
        <span class="row-name cut">
          <Name>{name}</Name>
        </span>
        <span class="grow cut small quiet">
          <Name>{company}</Name>
        </span>
        {when !== undefined && <span class="row-when quiet tiny digits">{when}</span>}
      </span>
      <span class="row-body">
        {signs}
        <span class={`row-preview grow cut small quiet${isProblem ? " problem" : ""}`}>
          <Name>{preview}</Name>
        </span>
      </span>
    </button>
  )
}

/** An icon in a row, with its meaning for screen readers. */
export const Mark = ({ icon, text }: { readonly icon: "check" | "flag"; readonly text: string }) => (
  <span class="sign marked">
    <Icon name={icon} />
    <span class="hidden">{text}</span>
  </span>
)

/** A small label in a row. */
export const Sign = ({ children, tone = "" }: { readonly children: ComponentChildren; readonly tone?: string }) => (
  <span class={`sign ${tone}`}>{children}</span>
)
