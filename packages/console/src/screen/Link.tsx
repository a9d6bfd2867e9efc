/** A link to a place or an item: without a new page, unless the browser was asked for a new tab. */
import type { ComponentChildren } from "preact"
import { go, pathOf, type Route } from "../place/route.ts"

interface LinkProps {
  readonly to: Omit<Route, "query"> & Partial<Pick<Route, "query">>
  readonly class?: string
  readonly isCurrent?: boolean
  readonly children: ComponentChildren
}

/** The link. */
export const Link = ({ children, class: name, isCurrent = false, to }: LinkProps) => {
  const target: Route = { query: {}, ...to }
  return (
    <a
      class={name}
      href={pathOf(target)}
      aria-current={isCurrent ? "page" : undefined}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return
        event.preventDefault()
        go({ item: undefined, ...target })
      }}
    >
      {children}
    </a>
  )
}
