/** Key presses of the whole page. */
import { dialog, session, view } from "../screen/state.ts"
import { perform } from "./actions.ts"
import { type Action, actionOf } from "./keyMap.ts"

const takesText = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.matches("input, textarea, select, [contenteditable]")

const anywhere: ReadonlySet<Action> = new Set([
  "palette",
  "help",
  "nextTab",
  "previousTab",
  "overview",
  "theme",
  "back",
  "undo"
])

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
    const inDialog = dialog.value !== undefined
    const action = actionOf({
      key: event.key,
      ctrlKey: event.ctrlKey,
      metaKey: event.metaKey,
      altKey: event.altKey,
      inField: takesText(event.target),
      inDialog
    })
    if (action === undefined || (event.repeat && !repeating.has(action))) return
    if (view.value === "overview" && !anywhere.has(action)) return
    event.preventDefault()
    perform(action, { at: event.timeStamp, isRepeat: event.repeat })
  })

/** What a click counts as: a key that was pressed once, now. */
export const pressed = () => ({ at: performance.now(), isRepeat: false })
