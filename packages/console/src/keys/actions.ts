/** Does what keys, buttons and the palette ask for. */
import { askReason } from "../dialogs/reason.ts"
import { approve, approveLater, askToSend } from "../draft/approving.ts"
import { startEdit } from "../draft/Editor.tsx"
import { canWithdraw, isReviewable, textsOf } from "../draft/Reading.ts"
import { flag, snooze, withdrawal } from "../outbox/calls.ts"
import { decideOn, undo } from "../outbox/deciding.ts"
import { clearFilters, go, places, route } from "../place/route.ts"
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
  say,
  session,
  tabs,
  variation,
  waiting
} from "../screen/state.ts"
import { switchTheme } from "../screen/theme.ts"
import { request } from "../service/request.ts"
import type { Details, Item, Tab } from "../service/shapes.ts"
import { type Entry, keyOf, type Pressed, shownKey } from "./keyMap.ts"
import { areLettersOn, switchLetters } from "./switch.ts"
import { keysHere } from "./usePlaceKeys.ts"

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

const withOpen = (act: (found: Details) => void) => (): void => {
  if (current.value === undefined) say("Nothing is open yet.")
  else act(current.value)
}

const choose = (index: number) =>
  withOpen((found) => {
    if (index < textsOf(found).length && index !== variation.value) variation.value = index
    else
      say(
        textsOf(found).length === 1
          ? "There is one text."
          : `Variation ${variation.value + 1} of ${textsOf(found).length} is shown.`
      )
  })

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

const askFor = (kind: "reject" | "rewrite" | "snooze") =>
  withOpen((found) => {
    if (!isReviewable(found)) say("This item is no longer in review.")
    else if (kind !== "reject" && found.item.kind !== "message")
      say("Only LinkedIn messages can be snoozed or rewritten.", "problem")
    else if (kind === "snooze") askUntil(found.item)
    else askReason(found.item, kind)
  })

const open = (kind: "palette" | "help"): void => {
  dialog.value = { kind }
}

const mark = withOpen(({ item: { item_id } }) => {
  const next = new Set(marked.value)
  if (!next.delete(item_id)) next.add(item_id)
  marked.value = next
})

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

const withdraw = withOpen(({ item }) => {
  if (canWithdraw(item)) decideOn(item, withdrawal(item))
  else say("Only what is approved and not sent yet can be undone.")
})

const turnFlag = withOpen(({ item }) => decideOn(item, flag(item)))

const search = (): void => document.querySelector<HTMLInputElement>("#search")?.select()

const turnLead = (): void => {
  isLeadOpen.value = !isLeadOpen.value
}

const overview = (): void => go({ place: route.value.place === "overview" ? "review" : "overview" })

const table = [
  { action: "next", keys: ["j", "ArrowDown"], text: "Next item", run: () => move(1) },
  { action: "previous", keys: ["k", "ArrowUp"], text: "Previous item", run: () => move(-1) },
  { action: "choose1", keys: ["1"], text: "Choose variation 1", in: "review", run: choose(0) },
  { action: "choose2", keys: ["2"], text: "Choose variation 2", in: "review", run: choose(1) },
  { action: "choose3", keys: ["3"], text: "Choose variation 3", in: "review", run: choose(2) },
  { action: "approve", keys: ["a"], text: "Approve and go to the next", in: "review", run: approve },
  { action: "later", keys: ["m"], text: "Approve for the next morning, or a time", in: "review", run: approveLater },
  { action: "send", keys: ["A"], text: "Send now, after a question", in: "review", run: askToSend },
  { action: "edit", keys: ["e"], text: "Edit the text", in: "review", run: startEdit },
  { action: "reject", keys: ["x"], text: "Reject with a reason", in: "review", run: askFor("reject") },
  { action: "rewrite", keys: ["r"], text: "Ask for a rewrite", in: "review", run: askFor("rewrite") },
  { action: "snooze", keys: ["h"], text: "Snooze", in: "review", run: askFor("snooze") },
  { action: "flag", keys: ["f"], text: "Flag, or remove the flag", in: "review", run: turnFlag },
  { action: "undo", keys: ["z"], text: "Undo", run: undo },
  { action: "withdraw", keys: ["u"], text: "Take an approved message back to review", in: "review", run: withdraw },
  { action: "mark", keys: ["v"], text: "Select for a batch", in: "review", run: mark },
  { action: "search", keys: ["/"], text: "Search this list, or find anyone", run: search },
  { action: "filters", keys: ["F"], text: "Filter", in: "review", run: filterQueue },
  { action: "previousTab", keys: ["["], text: "Previous tab", run: () => turn(-1) },
  { action: "nextTab", keys: ["]"], text: "Next tab", run: () => turn(1) },
  { action: "first", keys: ["Home"], text: "First item", run: () => moveTo("first") },
  { action: "last", keys: ["End"], text: "Last item", run: () => moveTo("last") },
  { action: "palette", keys: ["mod+K"], text: "Commands", run: () => open("palette") },
  { action: "help", keys: ["?"], text: "Keys", run: () => open("help") },
  { action: "overview", keys: ["o", "g o"], text: "Go to what needs you", run: overview },
  { action: "review", keys: ["g r"], text: "Go to Review", run: () => go({ place: "review" }) },
  { action: "replies", keys: ["g p"], text: "Go to Replies", run: () => go({ place: "replies" }) },
  { action: "leads", keys: ["g l"], text: "Go to Leads", run: () => go({ place: "leads" }) },
  { action: "missions", keys: ["g m"], text: "Go to Missions", run: () => go({ place: "missions" }) },
  { action: "import", keys: ["g i"], text: "Go to Import", run: () => go({ place: "import" }) },
  { action: "settings", keys: ["g s"], text: "Go to Settings", run: () => go({ place: "settings" }) },
  { action: "lead", keys: ["i"], text: "Lead and mission, on a narrow screen", in: "review", run: turnLead },
  { action: "theme", keys: [], text: "Switch between light and dark", run: switchTheme },
  { action: "keys", keys: [], text: "Switch single-letter keys on or off", run: switchLetters },
  { action: "signOut", keys: [], text: "Sign out", run: signOut },
  { action: "back", keys: ["Escape"], text: "Close, clear or go back", run: back }
] as const satisfies ReadonlyArray<Entry>

/** Everything that a key or the palette can do. */
export type Action = (typeof table)[number]["action"]

/** All of it, in the order that help shows. */
export const entries: ReadonlyArray<Entry & { readonly action: Action }> = table

/** Does one thing. */
export const perform = (action: Action, pressed: Pressed): void =>
  entries.find((entry) => entry.action === action)?.run(pressed)

const takesText = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  target.matches("input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]")

/** Keys that move on while they are held down. */
const repeating: ReadonlySet<string> = new Set(["next", "previous"])

/** The first of two keys that belong together, and until when the second is waited for. */
let prefix = { key: "", until: 0 }

/** What a key does here: its effect, or why it has none. Returns whether it was taken. */
const press = (key: string, pressed: Pressed): boolean => {
  if (key.length === 1 && /\p{L}|\p{N}/u.test(key) && !areLettersOn.value) return false
  const typed = prefix.until > pressed.at ? `${prefix.key} ${key.toLowerCase()}` : key
  prefix = { key: "", until: 0 }
  const entry = [...keysHere(), ...entries].find(({ keys }) => keys.includes(typed))
  if (typed === "g") {
    prefix = { key, until: pressed.at + 3_000 }
    say("Go to: R review, P replies, L leads, M missions, I import, S settings, O what needs you.")
    return true
  }
  if (entry === undefined) {
    const isLetter = key.length === 1 && key.trim() !== ""
    const place = places.find(([one]) => one === route.value.place)?.[1] ?? ""
    if (isLetter && !pressed.isRepeat) say(`${shownKey(typed)} does nothing in ${place}. Press ? for the keys.`)
    return isLetter
  }
  if (pressed.isRepeat && !repeating.has(entry.action ?? "")) return true
  if (entry.in !== undefined && entry.in !== route.value.place)
    say(`${shownKey(typed)} works in Review only: ${entry.text}.`)
  else entry.run(pressed)
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
