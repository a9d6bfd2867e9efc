/** What the service takes and returns, from the catalogue of commands itself. */
import type { InputEncodedOf, OutputOf } from "@svc/core"
import type { Commands } from "@svc/core/commands"

type CommandOf<Id> = Extract<Commands, { readonly id: Id }>

/** The id of a command. */
export type CommandId = Commands["id"]
export type InputOf<Id extends CommandId> = InputEncodedOf<CommandOf<Id>>
export type ResultOf<Id extends CommandId> = OutputOf<CommandOf<Id>>

export type Details = ResultOf<"review.get">
export type Item = Details["item"]
export type Finding = Details["findings"][number]
export type Counts = ResultOf<"review.counts">
type ListInput = InputOf<"review.list">
export type Tab = NonNullable<ListInput["tab"]>
/** What restricts the queue. */
export type Filters = Omit<ListInput, "tab" | "cursor" | "limit">
export type FeedEvent = ResultOf<"event.list">["events"][number]
