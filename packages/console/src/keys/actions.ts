/** Does what keys, buttons and the palette ask for. */
import { approve, askToSend, type Pressed } from "../draft/approving.ts"
import { startEdit } from "../draft/Editor.tsx"
import { canWithdraw, isReviewable, textsOf } from "../draft/Reading.ts"
import { flag, withdrawal } from "../outbox/calls.ts"
import { decideOn, undo } from "../outbox/deciding.ts"
import { moved, placeOf } from "../queue/Queue.ts"
import { openTab, prefetch, readPage } from "../queue/reading.ts"
import {
  closeDialog,
  column,
  current,
  dialog,
  isLeadOpen,
  marked,
  queue,
  say,
  session,
  variation,
  view,
  waiting
} from "../screen/state.ts"
import { switchTheme } from "../screen/theme.ts"
import { request } from "../service/request.ts"
import type { Item, Tab } from "../service/shapes.ts"
import { type Action, actionOf } from "./keyMap.ts"

/** The tabs, in their order. */
export const tabs: ReadonlyArray<readonly [Tab, string]> = [
  ["to_review", "To review"],
  ["approved", "Approved"],
  ["sent", "Sent"],
  ["replies", "Replies"],
  ["problems", "Problems"],
  ["snoozed", "Snoozed"]
]

/** Shows an item. */
export const select = (itemId: string | undefined): void => {
  if (itemId !== queue.value.selected) variation.value = 0
  queue.value = { ...queue.value, selected: itemId }
  prefetch()
}

const move = (by: number): void => {
  select(moved(queue.value, by).selected)
  const left = queue.value.items.length - placeOf(queue.value)
  if (left < 15 && queue.value.cursor !== null) void readPage("next")
}

const choose = (index: number): void => {
  const found = current.value
  if (found !== undefined && index < textsOf(found).length) variation.value = index
}

const turn = (by: number): void => {
  const names = [...tabs.map(([tab]) => tab), "overview"] as const
  const place = view.value === "overview" ? names.length - 1 : names.indexOf(queue.value.tab)
  const name = names[(place + by + names.length) % names.length] ?? "to_review"
  if (name === "overview") view.value = "overview"
  else showTab(name)
}

/** Shows a tab of the queue. */
export const showTab = (tab: Tab): void => {
  view.value = "queue"
  column.value = "queue"
  marked.value = new Set()
  openTab(tab)
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

const ask = (kind: "reject" | "rewrite" | "snooze"): void => {
  const found = current.value
  if (found === undefined) return
  if (!isReviewable(found)) say("This item is no longer in review.")
  else if (kind !== "reject" && found.item.kind !== "message")
    say("Only LinkedIn messages can be snoozed or rewritten.", "problem")
  else dialog.value = { kind, item: found.item }
}

const open = (kind: "filters" | "palette" | "help"): void => {
  dialog.value = { kind }
}

const mark = (item: Item): void => {
  const next = new Set(marked.value)
  if (!next.delete(item.item_id)) next.add(item.item_id)
  marked.value = next
}

const back = (): void => {
  if (dialog.value !== undefined) closeDialog()
  else if (isLeadOpen.value) isLeadOpen.value = false
  else if (marked.value.size > 0) marked.value = new Set()
  else if (column.value === "draft") column.value = "queue"
  else if (Object.keys(queue.value.filters).length > 0) openTab(queue.value.tab, {})
}

const withdraw = (item: Item): void => {
  if (canWithdraw(item)) decideOn(item, withdrawal(item))
  else say("Only what is approved and not sent yet can be undone.")
}

const withItem = (act: (item: Item) => void) => (): void => {
  const found = current.value
  if (found !== undefined) act(found.item)
}

const acts: Readonly<Record<Action, (pressed: Pressed) => void>> = {
  next: () => move(1),
  previous: () => move(-1),
  first: () => select(queue.value.items[0]?.item_id),
  last: () => select(queue.value.items.at(-1)?.item_id),
  back,
  choose1: () => choose(0),
  choose2: () => choose(1),
  choose3: () => choose(2),
  edit: startEdit,
  approve,
  send: askToSend,
  reject: () => ask("reject"),
  rewrite: () => ask("rewrite"),
  snooze: () => ask("snooze"),
  flag: withItem((item) => decideOn(item, flag(item))),
  withdraw: withItem(withdraw),
  mark: withItem(mark),
  undo,
  search: () => document.querySelector<HTMLElement>("#search")?.focus(),
  filters: () => open("filters"),
  palette: () => open("palette"),
  help: () => open("help"),
  nextTab: () => turn(1),
  previousTab: () => turn(-1),
  overview: () => {
    view.value = view.value === "overview" ? "queue" : "overview"
  },
  lead: () => {
    isLeadOpen.value = !isLeadOpen.value
  },
  theme: switchTheme,
  signOut: () => void signOut()
}

/** Does one thing. */
export const perform = (action: Action, pressed: Pressed): void => acts[action](pressed)

const takesText = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.matches("input, textarea, select, [contenteditable]")

const anywhere = new Set<Action>(["palette", "help", "nextTab", "previousTab", "overview", "theme", "back", "undo"])

/** Keys that move on while they are held down. */
const repeating: ReadonlySet<Action> = new Set(["next", "previous"])

/** Listens until the page ends. */
export const listenToKeys = (): void =>
  document.addEventListener("keydown", (event) => {
    if (session.value.state !== "in" || event.isComposing) return
    // Enter never approves, not even a button that has the focus.
    if (event.key === "Enter" && event.target instanceof Element && event.target.closest("[data-approves]") !== null) {
      event.preventDefault()
      return
    }
    const action = actionOf(event, takesText(event.target) || dialog.value !== undefined)
    if (action === undefined || (event.repeat && !repeating.has(action))) return
    if (view.value === "overview" && !anywhere.has(action)) return
    event.preventDefault()
    perform(action, { at: event.timeStamp, isRepeat: event.repeat })
  })

/** What a click counts as: a key that was pressed once, now. */
export const pressed = () => ({ at: performance.now(), isRepeat: false })
