/** What each key of a review does. */
import {
  goTo,
  type ItemKind,
  type ReviewAction,
  type ReviewMode,
  type ReviewState,
  reading,
  type TypedFor
} from "./ReviewState.ts"

/** A key with its terminal name, such as `left`, `return`, `a`. */
export interface PressedKey {
  readonly name: string
  /** The character it types; empty for other keys. */
  readonly text: string
  readonly ctrl: boolean
  /** When it arrived, in milliseconds. */
  readonly at: number
  /** Whether more keys have arrived since. */
  readonly isFollowed: boolean
}

/** How long a text or a question must have been on the screen before a decision, in milliseconds. */
const readingTime = 300

/** What a key types, or its name if that is nothing that can be seen. */
const wordOf = ({ name, text }: PressedKey): string => (text === "" || /\p{C}/u.test(text) ? name : text)

type Step = readonly [ReviewState, ReviewAction]

const none: ReviewAction = { _tag: "None" }

const stay = (state: ReviewState, status: string): Step => [{ ...state, status }, none]

/** Whether the key was pressed ahead of what is on the screen: typed in advance, pasted, or held down. */
const isAhead = ({ shownAt }: ReviewState, key: PressedKey): boolean =>
  key.isFollowed || shownAt === undefined || key.at - shownAt < readingTime

/** Ignores the key. The reading time starts again, so that a key held down never decides. */
const ignored = (state: ReviewState, key: PressedKey): Step => [
  { ...state, shownAt: state.shownAt === undefined ? undefined : key.at },
  none
]

const move = (state: ReviewState, by: number): Step => {
  const at = state.at + by
  if (at < 0) return stay(state, "This is the first item.")
  return at >= state.waiting.length ? stay(state, "This is the last item.") : [goTo(state, at), none]
}

const select = (state: ReviewState, wanted: number): Step => {
  const last = (state.item?.variations.length ?? 1) - 1
  const selected = Math.min(Math.max(wanted, 0), last)
  if (selected === state.selected) return stay(state, "")
  // Beside the others it was already on the screen.
  const shownAt = state.view.sideBySide ? state.shownAt : undefined
  const scroll = state.view.sideBySide ? state.scroll : 0
  return [{ ...state, selected, scroll, shownAt, status: "" }, none]
}

const scrollBy = (state: ReviewState, lines: number): Step => {
  const scroll = Math.max(0, state.scroll + Math.min(lines, state.view.below))
  return [{ ...state, scroll, shownAt: scroll === state.scroll ? state.shownAt : undefined, status: "" }, none]
}

const scrolls: Readonly<Record<string, (state: ReviewState) => Step>> = {
  up: (state) => scrollBy(state, -1),
  down: (state) => scrollBy(state, 1),
  " ": (state) => scrollBy(state, state.view.page),
  pagedown: (state) => scrollBy(state, state.view.page),
  pageup: (state) => scrollBy(state, -state.view.page)
}

const ask = (state: ReviewState, mode: ReviewMode, status: string): Step => [
  { ...state, mode, status, shownAt: undefined },
  none
]

/** The errors of the chosen variation. */
const errorsOf = ({ item, selected }: ReviewState): number =>
  (item?.findings ?? []).filter(
    ({ severity, variation }) => severity === "error" && (variation === undefined || variation === selected)
  ).length

const readOn = (state: ReviewState): Step => {
  const [next] = scrollBy(state, state.view.page)
  return stay(next, "The text continues here. Approve it when you have read all of it.")
}

const approve = (state: ReviewState): Step => {
  if (state.view.below > 0) return readOn(state)
  const errors = errorsOf(state)
  if (state.item?.kind !== "message") {
    return ask(state, { _tag: "Confirming", what: "approve" }, "This can't be undone. Press a again to approve it.")
  }
  if (errors === 0) return [state, { _tag: "Approve" }]
  const text = `This text has ${errors === 1 ? "an error" : `${errors} errors`}. Press a again to approve it anyway.`
  return ask(state, { _tag: "Confirming", what: "approve" }, text)
}

const confirm = (state: ReviewState, what: "approve" | "send", key: PressedKey): Step => {
  const isYes = key.text.toLowerCase() === (what === "approve" ? "a" : "y")
  if (!isYes) return stay({ ...state, mode: reading }, "Nothing was changed.")
  if (isAhead(state, key)) return ignored(state, key)
  return [{ ...state, mode: reading }, { _tag: what === "approve" ? "Approve" : "Send" }]
}

const snoozeDays: Readonly<Record<string, number>> = { "1": 1, "3": 3, "7": 7 }

const snooze = (state: ReviewState, key: PressedKey): Step => {
  const days = /^[137]$/.test(key.text) ? snoozeDays[key.text] : undefined
  const back = { ...state, mode: reading }
  return days === undefined ? stay(back, "Nothing was changed.") : [back, { _tag: "Snooze", days }]
}

/** Continues at the next item whose label contains the query, after the current one and then from the start. */
const find = (state: ReviewState, query: string): Step => {
  const wanted = query.trim().toLowerCase()
  const back = { ...state, mode: reading, query }
  if (wanted === "") return stay(back, "")
  const order = [...state.waiting.keys()].map((step) => (state.at + 1 + step) % state.waiting.length)
  const found = order.find((at) => state.waiting[at]?.label.toLowerCase().includes(wanted))
  return found === undefined ? stay(back, `Nothing contains ${JSON.stringify(query)}.`) : [goTo(back, found), none]
}

const typed = (state: ReviewState, what: TypedFor, text: string): Step => {
  if (what === "search") return find(state, text)
  const back = { ...state, mode: reading }
  if (text.trim() === "") return stay(back, "Nothing was changed.")
  return [back, { _tag: what === "reject" ? "Reject" : "Rewrite", text: text.trim() }]
}

const type = (state: ReviewState, what: TypedFor, text: string, key: PressedKey): Step => {
  if (key.name === "return" || key.name === "enter") return typed(state, what, text)
  if (key.name === "escape") return stay({ ...state, mode: reading }, "Nothing was changed.")
  const next =
    key.name === "backspace"
      ? [...text].slice(0, -1).join("")
      : key.ctrl || /\p{C}/u.test(key.text)
        ? text
        : text + key.text
  return [{ ...state, mode: { _tag: "Typing", what, text: next }, status: "" }, none]
}

/** Beside each other: `m` saves what was written over what is there now, any other key reads that. */
const settle = (state: ReviewState, mode: Extract<ReviewMode, { _tag: "Conflict" }>, key: PressedKey): Step => {
  const word = wordOf(key)
  const step = Object.hasOwn(scrolls, word) ? scrolls[word] : undefined
  if (step !== undefined) return step(state)
  const back = { ...state, mode: reading, scroll: 0, shownAt: undefined, status: "" }
  if (!mode.isMine || key.text !== "m") return [back, none]
  return isAhead(state, key) ? ignored(state, key) : [back, { _tag: "SaveMine", text: mode.left }]
}

const typing = (what: TypedFor) => (state: ReviewState) => ask(state, { _tag: "Typing", what, text: "" }, "")

const moves: Readonly<Record<string, (state: ReviewState) => Step>> = {
  j: (state) => move(state, 1),
  k: (state) => move(state, -1),
  n: (state) => (state.query === "" ? stay(state, "Search with / first.") : find(state, state.query)),
  "/": typing("search"),
  "?": (state) => ask(state, { _tag: "Help" }, ""),
  z: (state) => [state, { _tag: "Undo" }],
  q: (state) => [state, { _tag: "Quit" }]
}

const decisions: Readonly<Record<string, (state: ReviewState) => Step>> = {
  a: approve,
  A: (state) => (state.view.below > 0 ? readOn(state) : [state, { _tag: "AskToSend" }]),
  x: typing("reject"),
  r: typing("rewrite"),
  h: (state) => ask(state, { _tag: "Snoozing" }, "Snooze for 1, 3 or 7 days? Any other key keeps it here."),
  f: (state) => [state, { _tag: "Flag" }]
}

const inItem: Readonly<Record<string, (state: ReviewState) => Step>> = {
  e: (state) => [state, { _tag: "Edit" }],
  p: (state) => ask(state, { _tag: "Lead" }, ""),
  left: (state) => select(state, state.selected - 1),
  right: (state) => select(state, state.selected + 1),
  ...scrolls
}

/** What can be done with messages only, and what is said of everything else. */
const onlyMessages: Readonly<Record<string, string>> = {
  A: "Only messages can be sent at once.",
  e: "Only messages can be edited.",
  r: "That can't be done with this kind of item.",
  h: "That can't be done with this kind of item.",
  f: "That can't be done with this kind of item."
}

const refusalOf = (kind: ItemKind, word: string): string | undefined => {
  if (kind === "message") return undefined
  if (kind === "invitation" && /^[ax]$/.test(word)) return "That can't be done with this kind of item."
  return Object.hasOwn(onlyMessages, word) ? onlyMessages[word] : undefined
}

/** What a key does. Unknown keys do nothing. */
export const press = (state: ReviewState, key: PressedKey): Step => {
  if (key.ctrl && (key.name === "c" || key.name === "d")) return [state, { _tag: "Quit" }]
  const { mode } = state
  if (mode._tag === "Typing") return type(state, mode.what, mode.text, key)
  if (key.ctrl) return [state, none]
  if (mode._tag === "Confirming") return confirm(state, mode.what, key)
  if (mode._tag === "Snoozing") return snooze(state, key)
  if (mode._tag === "Conflict") return settle(state, mode, key)
  if (mode._tag !== "Reading") return [{ ...state, mode: reading, shownAt: undefined }, none]
  const word = wordOf(key)
  const anywhere = Object.hasOwn(moves, word) ? moves[word] : undefined
  if (anywhere !== undefined) return anywhere(state)
  if (state.item === undefined) return [{ ...state, status: "" }, none]
  if (/^[1-9]$/.test(word)) return select(state, Number(word) - 1)
  const refusal = refusalOf(state.item.kind, word)
  if (refusal !== undefined) return stay(state, refusal)
  const decide = Object.hasOwn(decisions, word) ? decisions[word] : undefined
  if (decide !== undefined) return isAhead(state, key) ? ignored(state, key) : decide(state)
  const act = Object.hasOwn(inItem, word) ? inItem[word] : undefined
  return act === undefined ? stay(state, "") : act(state)
}
