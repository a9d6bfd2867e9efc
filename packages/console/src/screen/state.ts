/** What the screen shows: signals that components read and that the rooms write. */
import { signal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import type { Shown } from "../draft/guard.ts"
import type { People } from "../live/People.ts"
import type { Leaving } from "../outbox/calls.ts"
import type { Decision, Pause } from "../outbox/Outbox.ts"
import type { Counts, Details } from "../service/shapes.ts"

/** A question or a list over the page. */
export type Dialog =
  | {
      readonly kind: "until"
      readonly title: string
      readonly isSnoozed?: boolean
      /** Whether what is chosen is when an approved text may leave. */
      readonly isApproval?: boolean
      /** Null brings it back. */
      readonly onChoose: (at: string | null) => unknown
    }
  | { readonly kind: "send"; readonly details: Details; readonly openedAt: number }
  | { readonly kind: "batch"; readonly when: Leaving; readonly openedAt: number }
  | { readonly kind: "conflict"; readonly before: Details; readonly variation: number; readonly mine?: string }
  | { readonly kind: "palette" | "help" }
  | {
      readonly kind: "question"
      readonly title: string
      readonly body: () => ComponentChildren
      readonly isWide?: boolean
    }

/** The person who is signed in, as the service describes them. */
export interface Person {
  readonly organization: string
  readonly name: string
}

/** Who is signed in. `host` means that people sign in to the program that the service is part of. */
type Session =
  | { readonly state: "starting" }
  | { readonly state: "out"; readonly at: "key" | "host"; readonly message: string }
  | { readonly state: "in"; readonly person: Person }

/** A sentence at the bottom; what is `done` can be undone. */
interface Notice {
  readonly text: string
  readonly tone: "plain" | "done" | "problem"
  /** Of two equal sentences, the second is said too. */
  readonly number: number
}

export const session = signal<Session>({ state: "starting" })
/** The tabs of a place. */
export interface Tabs {
  readonly names: ReadonlyArray<readonly [id: string, text: string, count?: number | undefined]>
  readonly selected: string
  readonly onSelect: (id: string) => void
}

/** The list that keys move in. */
export const moving = signal<
  | {
      readonly ids: () => ReadonlyArray<string>
      readonly selected: () => string | undefined
      readonly select: (id: string) => void
      /** Whether it was read to its end. */
      readonly isWhole: () => boolean
      /** Reads the next page; false at the end, and when it can't be read. */
      readonly more: () => Promise<boolean>
    }
  | undefined
>(undefined)
/** The tabs that keys turn. */
export const tabs = signal<Tabs | undefined>(undefined)
/** The totals of the tabs, with the filters of the queue. */
export const counts = signal<Counts | undefined>(undefined)
/** The totals without filters, for the bar. */
export const totals = signal<Counts | undefined>(undefined)
/** What was read of items, by their ids. */
export const details = signal<ReadonlyMap<string, Details>>(new Map())
/** What a changed item was before. */
export const changed = signal<ReadonlyMap<string, { readonly before: Details; readonly by: string }>>(new Map())
export const people = signal<People>(new Map())
/** Why an item cannot be shown. */
export const failures = signal<ReadonlyMap<string, string>>(new Map())
export const variation = signal(0)
export const shown = signal<Shown | undefined>(undefined)
/** Items whose text was on the screen long enough to be read. */
export const opened = signal<ReadonlySet<string>>(new Set())
export const marked = signal<ReadonlySet<string>>(new Set())
/** The confirmation of errors: of which text, and when. */
export const confirmed = signal<Shown | undefined>(undefined)
export const editing = signal<
  { readonly itemId: string; readonly from: Details; readonly isSaving: boolean } | undefined
>(undefined)
export const dialog = signal<Dialog | undefined>(undefined)
export const notice = signal<Notice | undefined>(undefined)
export const waiting = signal<ReadonlyArray<Decision>>([])
export const pause = signal<Pause | undefined>(undefined)
/** Below this width, in pixels, the list and what is open are shown one at a time. */
export const narrow = 720
/** On a phone, which column is shown. */
export const column = signal<"queue" | "draft">("queue")

/** Where the lead has no column of its own, whether it is shown over the draft. */
export const isLeadOpen = signal(false)

/** Closes the question or list over the page. */
export const closeDialog = (): void => {
  dialog.value = undefined
}

/** Asks a question over the page. */
export const ask = (title: string, body: () => ComponentChildren, isWide = false): void => {
  dialog.value = { kind: "question", title, body, isWide }
}

/** Whose decisions are kept in this browser: those of one person are never sent as another. */
export const owner = (): string =>
  session.value.state === "in" ? `${session.value.person.organization}/${session.value.person.name}` : ""

/** Says something at the bottom of the page. */
export const say = (text: string, tone: Notice["tone"] = "plain"): void => {
  notice.value = { text, tone, number: (notice.peek()?.number ?? 0) + 1 }
}

const askedAt = new Map<string, number>()

/** Whether something is to be asked for once more, as with Esc in a field with text: true the first time within five seconds. */
export const onceMore = (what: string): boolean => {
  const now = performance.now()
  const isFirst = now - (askedAt.get(what) ?? -Infinity) > 5_000
  if (isFirst) askedAt.set(what, now)
  else askedAt.delete(what)
  return isFirst
}
