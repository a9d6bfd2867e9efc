/**
 * The review of drafts as a value: what is shown, and what a key does to it. What a key asks of the service or of the
 * editor is an {@link Act}, done by the loop.
 */

/** A draft as it is shown. */
export interface ReviewedDraft {
  readonly draftId: string
  readonly lead: string
  readonly about: string
  readonly variations: ReadonlyArray<string>
  readonly findings: ReadonlyArray<string>
  /** Binds an approval to what was read. */
  readonly contentHash: string
}

/** What was decided, so that the last approval can be taken back. */
export interface Decision {
  readonly kind: "approved" | "cancelled"
  readonly draftId: string
  readonly lead: string
  readonly queueId: string | undefined
}

/** Where the review stands. */
export interface ReviewState {
  /** The drafts that wait, by id, in their order. */
  readonly waiting: ReadonlyArray<string>
  readonly at: number
  /** The draft under the eyes; undefined until it is read. */
  readonly draft: ReviewedDraft | undefined
  readonly selected: number
  readonly decisions: ReadonlyArray<Decision>
  /** One line about what just happened. */
  readonly said: string
  /** True while a cancellation waits for its second key. */
  readonly asking: boolean
}

/** What has to be done outside. */
export type Act = "none" | "read" | "approve" | "cancel" | "edit" | "undo" | "quit"

/** A key: its name as a terminal tells it, such as `left`, `return`, `a`. */
export interface PressedKey {
  readonly name: string
  readonly ctrl: boolean
}

/** The review of some drafts, with the first under the eyes. */
export const begin = (waiting: ReadonlyArray<string>): ReviewState => ({
  waiting,
  at: 0,
  draft: undefined,
  selected: 0,
  decisions: [],
  said: "",
  asking: false
})

type Step = readonly [ReviewState, Act]

const move = (state: ReviewState, by: number): Step => {
  const at = Math.min(Math.max(state.at + by, 0), Math.max(state.waiting.length - 1, 0))
  if (at === state.at) return [{ ...state, said: by > 0 ? "That was the last one." : "That is the first one." }, "none"]
  return [{ ...state, at, draft: undefined, selected: 0, said: "" }, "read"]
}

const select = (state: ReviewState, selected: number): Step => {
  const last = (state.draft?.variations.length ?? 1) - 1
  return [{ ...state, selected: Math.min(Math.max(selected, 0), last), said: "" }, "none"]
}

/** What a key does. Keys that mean nothing change nothing. */
export const press = (state: ReviewState, { ctrl, name }: PressedKey): Step => {
  if (name === "q" || name === "escape" || (ctrl && (name === "c" || name === "d"))) return [state, "quit"]
  if (ctrl) return [state, "none"]
  const calm = { ...state, asking: false }
  if (name === "u") {
    return state.decisions.length === 0 ? [{ ...calm, said: "Nothing was decided yet." }, "none"] : [calm, "undo"]
  }
  if (name === "n" || name === "down" || name === "j") return move(calm, 1)
  if (name === "p" || name === "up" || name === "k") return move(calm, -1)
  if (state.draft === undefined) return [calm, "none"]
  if (/^[1-9]$/.test(name)) return select(calm, Number(name) - 1)
  if (name === "left" || name === "h") return select(calm, state.selected - 1)
  if (name === "right" || name === "l" || name === "tab") return select(calm, state.selected + 1)
  if (name === "a" || name === "return" || name === "enter") return [calm, "approve"]
  if (name === "e") return [calm, "edit"]
  if (name === "x") {
    if (state.asking) return [calm, "cancel"]
    return [
      { ...state, asking: true, said: "Press x again to cancel this draft for good, any other key to keep it." },
      "none"
    ]
  }
  return [{ ...calm, said: state.asking ? "Kept." : state.said }, "none"]
}

/** After a decision on the draft under the eyes: it waits no more, and the next takes its place. */
export const decided = (state: ReviewState, decision: Decision): ReviewState => {
  const waiting = state.waiting.filter((id) => id !== decision.draftId)
  return {
    ...state,
    waiting,
    at: Math.min(state.at, Math.max(waiting.length - 1, 0)),
    draft: undefined,
    selected: 0,
    decisions: [...state.decisions, decision],
    said: `${decision.lead}: ${decision.kind}.${decision.kind === "approved" ? " Press u to take it back." : ""}`
  }
}

/** After the last approval was taken back: its draft waits again, under the eyes. */
export const takenBack = (state: ReviewState, { draftId, lead }: Decision): ReviewState => {
  const waiting = [...state.waiting.slice(0, state.at), draftId, ...state.waiting.slice(state.at)]
  return {
    ...state,
    waiting,
    draft: undefined,
    selected: 0,
    decisions: state.decisions.slice(0, -1),
    said: `${lead}: taken back, and under review again.`
  }
}
