/** The parts of what is open: its head with buttons, cards, and facts. */

import { type Signal, useSignal } from "@preact/signals"
import type { ComponentChildren, Ref } from "preact"
import { useEffect, useRef } from "preact/hooks"
import { useEvents } from "../live/useEvents.ts"
import { route } from "../place/route.ts"
import { Nothing } from "../screen/Nothing.tsx"
import type { Outcome } from "../service/outcome.ts"
import { Name } from "../text/Prose.tsx"
import { type Act, Acts } from "./Acts.tsx"
import { BackToList, Loading } from "./ListDetail.tsx"

interface DetailProps {
  readonly title: string
  readonly about?: ComponentChildren
  /** Beside the title. */
  readonly beside?: ComponentChildren
  /** Where the back button leads, if it isn't the place. */
  readonly from?: string
  readonly acts?: ReadonlyArray<Act | false> | undefined
  /** Buttons of another kind. */
  readonly actions?: ComponentChildren
  /** The element of its parts. */
  readonly box?: Ref<HTMLDivElement>
  readonly children: ComponentChildren
}

/** What is open. */
export const Detail = ({
  about,
  actions,
  acts,
  beside,
  box = null,
  children,
  from = route.value.place,
  title
}: DetailProps) => (
  <>
    <header class="draft-head line">
      <BackToList to={from} />
      <div>
        <h2>
          <Name>{title}</Name>
        </h2>
        {about !== undefined && <p class="quiet">{about}</p>}
      </div>
      {beside}
    </header>
    <div class="draft-body" ref={box}>
      {children}
    </div>
    {(acts ?? actions) !== undefined && (
      <div class="actions line small" role="group" aria-label="Actions">
        {acts === undefined ? actions : <Acts acts={acts} />}
      </div>
    )}
  </>
)

interface CardProps {
  readonly title: ComponentChildren
  readonly name?: string
  readonly children: ComponentChildren
}

/** A part with a heading. */
export const Card = ({ children, name, title }: CardProps) => (
  <section class="card stack small" aria-label={name ?? (typeof title === "string" ? title : undefined)}>
    <h3>{title}</h3>
    {children}
  </section>
)

type Fact = readonly [label: string, value: ComponentChildren]

/** Labels with values; those without a value are left out. */
export const Facts = ({ facts }: { readonly facts: ReadonlyArray<Fact> }) => (
  <dl class="facts stack">
    {facts
      .filter(([, value]) => value !== null && value !== undefined && value !== "" && value !== false)
      .map(([label, value]) => (
        <div key={label} class="fact">
          <dt class="quiet" dir="auto">
            {label}
          </dt>
          <dd>{typeof value === "string" ? <Name>{value}</Name> : value}</dd>
        </div>
      ))}
  </dl>
)

/** What was read for a detail. */
interface Reading<A> {
  readonly data?: A
  readonly problem?: string
}

/**
 * Reads what a detail shows when it opens, and again after events that match. Returns it with `refresh`, which also runs after a
 * change made here, and when `of` changes.
 */
export const useReading = <A,>(
  read: () => Promise<Outcome<A>>,
  events: RegExp,
  of?: unknown
): { readonly reading: Signal<Reading<A>>; readonly refresh: () => Promise<void> } => {
  const reading = useSignal<Reading<A>>({})
  const asked = useRef(of)
  asked.current = of
  const refresh = async (): Promise<void> => {
    const outcome = await read()
    if (asked.current !== of) return
    reading.value = outcome.ok ? { data: outcome.data } : { ...reading.value, problem: outcome.problem.message }
  }
  useEffect(() => void refresh(), [of])
  useEvents(events, refresh)
  return { reading, refresh }
}

interface ReadProps<A> {
  readonly reading: Signal<Reading<A>>
  readonly refresh: () => Promise<void>
  readonly children: (data: A, refresh: () => Promise<void>) => ComponentChildren
}

/** Shows what was read, or why it can't be. */
export const Read = <A,>({ children, reading, refresh }: ReadProps<A>) => {
  const { data, problem } = reading.value
  if (data === undefined) {
    return problem === undefined ? (
      <Loading />
    ) : (
      <Nothing text={problem} help="Try again" onHelp={() => void refresh()} />
    )
  }
  return (
    <>
      {problem !== undefined && (
        <p class="part-problem warning" role="status">
          This may be out of date. {problem}
        </p>
      )}
      {children(data, refresh)}
    </>
  )
}

interface ReadCardProps<A> {
  readonly title: string
  readonly read: () => Promise<Outcome<A>>
  readonly events: RegExp
  readonly children: (data: A) => ComponentChildren
}

/** A part with what is read for it. */
export const ReadCard = <A,>({ children, events, read, title }: ReadCardProps<A>) => (
  <Card title={title}>
    <Read {...useReading(read, events)}>{children}</Read>
  </Card>
)
