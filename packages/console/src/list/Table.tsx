/** A table in a detail, which scrolls sideways where it is too wide. */
import type { ComponentChildren } from "preact"

interface TableProps {
  readonly label: string
  readonly head: ReadonlyArray<ComponentChildren>
  /** The rows. */
  readonly children: ComponentChildren
}

/** The table. */
export const Table = ({ children, head, label }: TableProps) => (
  <div class="table-scroll" role="group" aria-label={label} tabIndex={0}>
    <table class="numbers">
      <thead>
        <tr>
          {head.map((cell, index) => (
            <th scope="col" key={`${index}`}>
              {cell}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  </div>
)
