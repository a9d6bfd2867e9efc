/**
 * The state of a review, and what each key does to it. Calls of the service and the editor are {@link ReviewAction}s, which
 * the loop performs.
 */
import type { DraftId, QueueItemId } from "@svc/core"

/** A draft as it is shown. */
export interface ReviewedDraft {
  readonly draftId: DraftId
  readonly lead: string
  readonly about: string
  readonly variations: ReadonlyArray<string>
  readonly findings: ReadonlyArray<string>
  /** Binds an approval to what was read. */
  readonly contentHash: string
}

/** A decision, with what is needed to undo it. */
export interface Decision {
  readonly kind: "approved" | "cancelled"
  readonly draftId: DraftId
  readonly lead: string
  readonly queueId: QueueItemId | undefined
}

/** The state of a review. */
export interface ReviewState {
  /** Ids of the drafts to review, in order. */
  readonly waiting: ReadonlyArray<string>
  readonly at: number
  /** The current draft; undefined until it is loaded. */
  readonly draft: ReviewedDraft | undefined
  readonly selected: number
  readonly decisions: ReadonlyArray<Decision>
  /** One line about the last action. */
  readonly status: string
  /** Whether a cancellation waits for confirmation. */
  readonly confirming: boolean
}

/** An action of the loop. */
export type ReviewAction = "none" | "read" | "approve" | "cancel" | "edit" | "undo" | "quit"

/** A key with its terminal name, such as `left`, `return`, `a`. */
export interface PressedKey {
  readonly name: string
  readonly ctrl: boolean
}

/** The review of some drafts, at the first one. */
export const begin = (waiting: ReadonlyArray<string>): ReviewState => ({
  waiting,
  at: 0,
  draft: undefined,
  selected: 0,
  decisions: [],
  status: "",
  confirming: false
})

type Step = readonly [ReviewState, ReviewAction]

const move = (state: ReviewState, by: number): Step => {
  const at = Math.min(Math.max(state.at + by, 0), Math.max(state.waiting.length - 1, 0))
  if (at === state.at)
    return [{ ...state, status: by > 0 ? "That was the last draft." : "That is the first draft." }, "none"]
  return [{ ...state, at, draft: undefined, selected: 0, status: "" }, "read"]
}

const select = (state: ReviewState, selected: number): Step => {
  const last = (state.draft?.variations.length ?? 1) - 1
  return [{ ...state, selected: Math.min(Math.max(selected, 0), last), status: "" }, "none"]
}

/** What a key does. Unknown keys do nothing. */
export const press = (state: ReviewState, { ctrl, name }: PressedKey): Step => {
  if (name === "q" || name === "escape" || (ctrl && (name === "c" || name === "d"))) return [state, "quit"]
  if (ctrl) return [state, "none"]
  const reset = { ...state, confirming: false }
  if (name === "u") {
    return state.decisions.length === 0 ? [{ ...reset, status: "Nothing to undo." }, "none"] : [reset, "undo"]
  }
  if (name === "n" || name === "down" || name === "j") return move(reset, 1)
  if (name === "p" || name === "up" || name === "k") return move(reset, -1)
  if (state.draft === undefined) return [reset, "none"]
  if (/^[1-9]$/.test(name)) return select(reset, Number(name) - 1)
  if (name === "left" || name === "h") return select(reset, state.selected - 1)
  if (name === "right" || name === "l" || name === "tab") return select(reset, state.selected + 1)
  if (name === "a" || name === "return" || name === "enter") return [reset, "approve"]
  if (name === "e") return [reset, "edit"]
  if (name === "x") {
    if (state.confirming) return [reset, "cancel"]
    return [
      {
        ...state,
        confirming: true,
        status: "Press x again to cancel this draft permanently, any other key to keep it."
      },
      "none"
    ]
  }
  return [{ ...reset, status: state.confirming ? "Draft kept." : state.status }, "none"]
}

/** After a decision on the current draft: continues with the next one. */
export const decided = (state: ReviewState, decision: Decision): ReviewState => {
  const waiting = state.waiting.filter((id) => id !== decision.draftId)
  return {
    ...state,
    waiting,
    at: Math.min(state.at, Math.max(waiting.length - 1, 0)),
    draft: undefined,
    selected: 0,
    decisions: [...state.decisions, decision],
    status: `${decision.lead}: ${decision.kind}.${decision.kind === "approved" ? " Press u to undo." : ""}`
  }
}

/** After the last approval was undone: its draft is the current one again. */
export const undone = (state: ReviewState, { draftId, lead }: Decision): ReviewState => {
  const waiting = [...state.waiting.slice(0, state.at), draftId, ...state.waiting.slice(state.at)]
  return {
    ...state,
    waiting,
    draft: undefined,
    selected: 0,
    decisions: state.decisions.slice(0, -1),
    status: `${lead}: approval undone, under review again.`
  }
}
