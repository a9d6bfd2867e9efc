/** A part of the overview, with what it is when it cannot be read. */
import type { ComponentChildren } from "preact"
import type { Part } from "./reading.ts"

interface Props<A> {
  readonly part: Part<A>
  readonly what: string
  readonly children: (data: A) => ComponentChildren
}

/** Why a part cannot be read. `what` continues "Can't read …". */
export const PartProblem = ({ part: { data, problem }, what }: Pick<Props<unknown>, "part" | "what">) =>
  problem === undefined ? null : (
    <p class="part-problem warning" role="status">
      {data === undefined ? `Can't read ${what}. ` : `These ${what} may be out of date. `}
      {problem}
    </p>
  )

/** What stands where a part will be. */
export const PartLoading = () => <p class="part-loading quiet">Loading…</p>

/** The part, or why it is not there. */
export const PartView = <A,>({ children, part, what }: Props<A>) => (
  <>
    <PartProblem part={part} what={what} />
    {part.data === undefined && part.problem === undefined && <PartLoading />}
    {part.data !== undefined && children(part.data)}
  </>
)
