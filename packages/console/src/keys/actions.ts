/** Does what keys, buttons and the palette ask for. */
import { askReason } from "../dialogs/reason.ts"
import { approve, askToSend } from "../draft/approving.ts"
import { startEdit } from "../draft/Editor.tsx"
import { canWithdraw, isReviewable, textsOf } from "../draft/Reading.ts"
import { flag, snooze, withdrawal } from "../outbox/calls.ts"
import { decideOn, undo } from "../outbox/deciding.ts"
import { clearFilters, go, type Place, places, route } from "../place/route.ts"
import { filterQueue } from "../queue/filters.ts"
import { current } from "../queue/reading.ts"
import { dateAndTime } from "../queue/times.ts"
import {
  closeDialog,
  column,
  dialog,
  isLeadOpen,
  marked,
  moving,
  narrow,
  notice,
  placeKeys,
  say,
  session,
  tabs,
  variation,
  waiting
} from "../screen/state.ts"
import { switchTheme } from "../screen/theme.ts"
import { request } from "../service/request.ts"
import type { Item, Tab } from "../service/shapes.ts"
import { type Action, entryOf, keyOf, type Pressed, shownKey } from "./keyMap.ts"
import { areLettersOn, switchLetters } from "./switch.ts"

/** Moves the selection, and reads on before the end is reached. */
const move = (by: number): void => {
  const list = moving.value
  const ids = list?.ids() ?? []
  if (list === undefined || ids.length === 0) {
    say("There is no list to move in here.")
    return
  }
  const place = ids.indexOf(list.selected() ?? "")
  const next = Math.min(ids.length - 1, Math.max(0, Math.max(place, by > 0 ? -1 : 0) + by))
  if (next === place) say(by > 0 ? "This is the last one." : "This is the first one.")
  const id = ids[next]
  if (id !== undefined) list.select(id)
  if (ids.length - next < 15) void list.more()
}

/** Selects the first one, or the last one, for which the list is read to its end. */
const moveTo = async (end: "first" | "last"): Promise<void> => {
  const list = moving.value
  if (list === undefined) {
    say("There is no list to move in here.")
    return
  }
  if (end === "last" && !list.isWhole()) {
    say("Reading to the end…")
    for (let tries = 0; list === moving.value && !list.isWhole() && tries < 60; ) {
      if (await list.more()) continue
      // The service limits requests, or is away for a moment.
      tries++
      await new Promise((resolve) => setTimeout(resolve, 1000))
    }
    if (list.isWhole()) notice.value = undefined
    else say("Can't read to the end now. Try again.", "problem")
  }
  const id = list.ids().at(end === "first" ? 0 : -1)
  if (id === undefined) say("The list is empty.")
  else if (id === list.selected()) say(`This is the ${end} one.`)
  else if (list === moving.value) list.select(id)
}

const choose = (index: number): void => {
  const found = current.value
  if (found === undefined) say("Nothing is open yet.")
  else if (index < textsOf(found).length && index !== variation.value) variation.value = index
  else
    say(
      textsOf(found).length === 1
        ? "There is one text."
        : `Variation ${variation.value + 1} of ${textsOf(found).length} is shown.`
    )
}

/** Turns the tabs of the place; those of the review queue have the overview among them. */
const turn = (by: number): void => {
  const shown = tabs.value
  if (route.value.place === "overview") {
    showTab(by > 0 ? "to_review" : "snoozed")
    return
  }
  if (shown === undefined) {
    say("There are no tabs here.")
    return
  }
  const names = [...shown.names.map(([name]) => name), ...(route.value.place === "review" ? ["overview"] : [])]
  const name = names[(names.indexOf(shown.selected) + by + names.length) % names.length] ?? ""
  // The next press turns from here, however soon it comes.
  tabs.value = { ...shown, selected: name }
  if (name === "overview") go({ place: "overview" })
  else shown.onSelect(name)
}

/** Shows a tab of the queue. */
export const showTab = (tab: Tab): void => {
  column.value = "queue"
  marked.value = new Set()
  go({ place: "review", item: undefined, query: tab === "to_review" ? {} : { tab } })
}

/** Signs out, unless decisions would be left behind. */
const signOut = async (): Promise<void> => {
  if (waiting.value.length > 0) {
    say(`${waiting.value.length} decisions are not sent yet. Sign out when they are.`, "problem")
    return
  }
  await request("DELETE", "/review/session")
  session.value = { state: "out", at: "key", message: "You are signed out." }
}

const askUntil = (item: Item): void => {
  dialog.value = {
    kind: "until",
    title: `Snooze ${item.lead?.name ?? "this item"}`,
    isSnoozed: item.snoozed_until !== null,
    onChoose: (at) => decideOn(item, snooze(item, at, at === null ? "" : dateAndTime(at)))
  }
}

const askFor = (kind: "reject" | "rewrite" | "snooze"): void => {
  const found = current.value
  if (found === undefined) say("Nothing is open yet.")
  else if (!isReviewable(found)) say("This item is no longer in review.")
  else if (kind !== "reject" && found.item.kind !== "message")
    say("Only LinkedIn messages can be snoozed or rewritten.", "problem")
  else if (kind === "snooze") askUntil(found.item)
  else askReason(found.item, kind)
}

const open = (kind: "palette" | "help"): void => {
  dialog.value = { kind }
}

const mark = (item: Item): void => {
  const next = new Set(marked.value)
  if (!next.delete(item.item_id)) next.add(item.item_id)
  marked.value = next
}

const back = (): void => {
  const isReview = route.value.place === "review"
  const { tab, ...filters } = route.value.query
  if (dialog.value !== undefined) closeDialog()
  else if (isLeadOpen.value) isLeadOpen.value = false
  else if (marked.value.size > 0) marked.value = new Set()
  else if (column.value === "draft" && innerWidth <= narrow) {
    column.value = "queue"
    if (!isReview) go({ item: undefined })
  } else if (Object.keys(filters).length > 0) clearFilters()
  else if (!isReview && tab !== undefined) go({ query: {} })
  else say("Nothing to close here.")
}

const withdraw = (item: Item): void => {
  if (canWithdraw(item)) decideOn(item, withdrawal(item))
  else say("Only what is approved and not sent yet can be undone.")
}

const withItem = (act: (item: Item) => void) => (): void => {
  const found = current.value
  if (found === undefined) say("Nothing is open yet.")
  else act(found.item)
}

const goTo = (place: Place) => (): void => go({ place })

const acts: Readonly<Record<Action, (pressed: Pressed) => void>> = {
  next: () => move(1),
  previous: () => move(-1),
  first: () => void moveTo("first"),
  last: () => void moveTo("last"),
  back,
  choose1: () => choose(0),
  choose2: () => choose(1),
  choose3: () => choose(2),
  edit: startEdit,
  approve,
  send: askToSend,
  reject: () => askFor("reject"),
  rewrite: () => askFor("rewrite"),
  snooze: () => askFor("snooze"),
  flag: withItem((item) => decideOn(item, flag(item))),
  withdraw: withItem(withdraw),
  mark: withItem(mark),
  undo,
  search: () => document.querySelector<HTMLInputElement>("#search")?.select(),
  filters: filterQueue,
  palette: () => open("palette"),
  help: () => open("help"),
  nextTab: () => turn(1),
  previousTab: () => turn(-1),
  overview: () => go({ place: route.value.place === "overview" ? "review" : "overview" }),
  review: goTo("review"),
  replies: goTo("replies"),
  leads: goTo("leads"),
  missions: goTo("missions"),
  import: goTo("import"),
  settings: goTo("settings"),
  lead: () => {
    isLeadOpen.value = !isLeadOpen.value
  },
  theme: switchTheme,
  keys: switchLetters,
  signOut: () => void signOut()
}

/** Does one thing. */
export const perform = (action: Action, pressed: Pressed): void => acts[action](pressed)

const takesText = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  target.matches("input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]")

/** Keys that move on while they are held down. */
const repeating: ReadonlySet<string> = new Set(["next", "previous"])

/** The first of two keys that belong together, and until when the second is waited for. */
let prefix = { key: "", until: 0 }

const nameOfPlace = (): string => places.find(([place]) => place === route.value.place)?.[1] ?? ""

/** What a key does here: its effect, or why it has none. Returns whether it was taken. */
const press = (key: string, pressed: Pressed): boolean => {
  if (key.length === 1 && /\p{L}|\p{N}/u.test(key) && !areLettersOn.value) return false
  const typed = prefix.until > pressed.at ? `${prefix.key} ${key.toLowerCase()}` : key
  prefix = { key: "", until: 0 }
  const own = placeKeys.value.find((entry) => entry.key === typed)
  const entry = entryOf(typed)
  if (typed === "g") {
    prefix = { key, until: pressed.at + 3_000 }
    say("Go to: R review, P replies, L leads, M missions, I import, S settings, O what needs you.")
    return true
  }
  if (own !== undefined) {
    if (!pressed.isRepeat) own.run(pressed)
    return true
  }
  if (entry === undefined) {
    const isLetter = key.length === 1 && key.trim() !== ""
    if (isLetter && !pressed.isRepeat) say(`${shownKey(typed)} does nothing in ${nameOfPlace()}. Press ? for the keys.`)
    return isLetter
  }
  if (pressed.isRepeat && !repeating.has(entry.action)) return true
  if (entry.in !== undefined && entry.in !== route.value.place)
    say(`${shownKey(typed)} works in Review only: ${entry.text}.`)
  else perform(entry.action, pressed)
  return true
}

/** Listens until the page ends. */
export const listenToKeys = (): void =>
  document.addEventListener("keydown", (event) => {
    if (session.value.state !== "in" || event.isComposing || event.defaultPrevented) return
    const target = event.target instanceof Element ? event.target : undefined
    // Enter never approves, not even a button that has the focus.
    if (event.key === "Enter" && target?.closest("[data-approves]") != null) {
      event.preventDefault()
      say("Enter never approves. Press A, or click.")
      return
    }
    const key = keyOf(event, takesText(event.target) || dialog.value !== undefined)
    if (key === undefined) return
    const isPress = press(key, { at: event.timeStamp, isRepeat: event.repeat })
    if (isPress) event.preventDefault()
  })

/** What a click counts as: a key that was pressed once, now. */
export const pressed = (): Pressed => ({ at: performance.now(), isRepeat: false })
