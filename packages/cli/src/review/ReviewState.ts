/**
 * The state of a review. Calls of the service and the editor are {@link ReviewAction}s, which the loop performs;
 * `pressKey.ts` says what each key does.
 */

/** An item of the queue. `label` is what `/` searches. */
export interface WaitingItem {
  readonly id: string
  readonly label: string
}

/** What an item is. Only messages can be edited, flagged, snoozed, sent now or sent back, and undone. */
export type ItemKind = "message" | "invitation" | "email" | "approval"

/** A finding of the check. */
export interface ReviewFinding {
  readonly severity: string
  readonly message: string
  /** How to fix it. */
  readonly hint: string
  /** The variation it is about, from 0; undefined for the whole draft. */
  readonly variation: number | undefined
}

/** An item as it is shown. */
export interface ReviewedItem {
  readonly itemId: string
  readonly kind: ItemKind
  /** Whom it is for; of an approval request, what was requested. */
  readonly lead: string
  readonly about: string
  /** Why it could not be sent, or the subject of an email; empty for none. */
  readonly above: ReadonlyArray<string>
  /** The texts to choose from; one for everything but messages. */
  readonly variations: ReadonlyArray<string>
  readonly findings: ReadonlyArray<ReviewFinding>
  /** What is known about the lead, and the conversation so far, one line each. */
  readonly beside: ReadonlyArray<string>
  readonly agentHandle: string | undefined
  readonly flagged: boolean
  /** Longest text that is accepted in any case; undefined if that is unknown. */
  readonly maxCharacters: number | undefined
  /** Binds a decision to what was read; undefined for approval requests, which do not change. */
  readonly contentHash: string | undefined
  /** The LinkedIn profile of a message's lead; empty if none is shown. */
  readonly profileUrl: string
}

/** A call of a command. */
export interface CommandCall {
  readonly id: string
  readonly input: object
}

/** A decision, and the command that undoes it; undefined if nothing does. */
export interface Decision {
  readonly kind: "approved" | "sent" | "rejected" | "sent back" | "snoozed"
  readonly item: WaitingItem
  readonly lead: string
  /** What else is to be said about it, such as when the message leaves. */
  readonly note: string
  readonly undo: CommandCall | undefined
}

/** What a text is typed for. */
export type TypedFor = "search" | "reject" | "rewrite"

/** What the keyboard does. */
export type ReviewMode =
  | { readonly _tag: "Reading" }
  /** Approving despite errors, or sending from an account, waits for a second key. */
  | { readonly _tag: "Confirming"; readonly what: "approve" | "send" }
  | { readonly _tag: "Typing"; readonly what: TypedFor; readonly text: string }
  /** How long to snooze. */
  | { readonly _tag: "Snoozing" }
  /** What was read or written, beside what somebody else made of it. */
  | { readonly _tag: "Conflict"; readonly left: string; readonly isMine: boolean }
  | { readonly _tag: "Help" }
  | { readonly _tag: "Lead" }

/** How much of an item the screen showed. */
export interface ReviewView {
  /** Whether all variations are beside each other. */
  readonly sideBySide: boolean
  /** Lines below the screen. */
  readonly below: number
  /** Lines that one page scrolls. */
  readonly page: number
}

/** The state of a review. */
export interface ReviewState {
  /** The items to review, in order. */
  readonly waiting: ReadonlyArray<WaitingItem>
  readonly at: number
  /** The current item; undefined until it is loaded. */
  readonly item: ReviewedItem | undefined
  readonly selected: number
  readonly scroll: number
  readonly view: ReviewView
  /** When what is asked for a decision came on the screen, in milliseconds; undefined before that. */
  readonly shownAt: number | undefined
  readonly decisions: ReadonlyArray<Decision>
  readonly mode: ReviewMode
  readonly query: string
  /** One line about the last action. */
  readonly status: string
}

/** An action of the loop. */
export type ReviewAction =
  | { readonly _tag: "None" | "Approve" | "AskToSend" | "Send" | "Edit" | "Flag" | "Undo" | "Quit" }
  | { readonly _tag: "Reject" | "Rewrite" | "SaveMine"; readonly text: string }
  | { readonly _tag: "Snooze"; readonly days: number }

/** Reading, with no question open. */
export const reading: ReviewMode = { _tag: "Reading" }

/** The review of some items, at the first one. */
export const begin = (waiting: ReadonlyArray<WaitingItem>): ReviewState => ({
  waiting,
  at: 0,
  item: undefined,
  selected: 0,
  scroll: 0,
  view: { sideBySide: false, below: 0, page: 1 },
  shownAt: undefined,
  decisions: [],
  mode: reading,
  query: "",
  status: ""
})

/** At another position; its item is to be loaded. */
export const goTo = (state: ReviewState, at: number, status = ""): ReviewState => ({
  ...state,
  at: Math.max(0, Math.min(at, state.waiting.length - 1)),
  item: undefined,
  selected: 0,
  scroll: 0,
  shownAt: undefined,
  mode: reading,
  status
})

/** Without the current item, which was decided here or elsewhere. */
export const dropped = (state: ReviewState, itemId: string, status: string): ReviewState =>
  goTo({ ...state, waiting: state.waiting.filter(({ id }) => id !== itemId) }, state.at, status)

/** After a decision on the current item: continues with the next one. */
export const decided = (state: ReviewState, decision: Decision): ReviewState => ({
  ...dropped(
    state,
    decision.item.id,
    `${decision.lead}: ${decision.kind}.${decision.note}${decision.undo === undefined ? "" : " Press z to undo."}`
  ),
  decisions: [...state.decisions, decision]
})

/** The decision that `z` undoes. */
export const lastUndoable = ({ decisions }: ReviewState): Decision | undefined =>
  decisions.findLast(({ undo }) => undo !== undefined)

/** After a decision was undone: its item is the current one again. */
export const undone = (state: ReviewState, decision: Decision): ReviewState => {
  const waiting = [...state.waiting.slice(0, state.at), decision.item, ...state.waiting.slice(state.at)]
  return {
    ...goTo({ ...state, waiting }, state.at, `${decision.lead}: no longer ${decision.kind}, under review again.`),
    decisions: state.decisions.filter((other) => other !== decision)
  }
}

/** After a decision turned out to be final. */
export const notUndone = (state: ReviewState, decision: Decision, status: string): ReviewState => ({
  ...state,
  decisions: state.decisions.map((other) => (other === decision ? { ...other, undo: undefined } : other)),
  status
})
