/** Keys, how they are read and how they are printed. Pure. */

/** A key press or a swipe. `at` is when it happened, as `performance.now()`. */
export interface Pressed {
  readonly at: number
  readonly isRepeat: boolean
}

/** What a key or the palette can do. With `in`, in the review queue only. Those of a place alone have no `action`. */
export interface Entry {
  readonly action?: string
  readonly keys: ReadonlyArray<string>
  readonly text: string
  readonly in?: "review"
  readonly run: (pressed: Pressed) => void
}

type Keys = Pick<KeyboardEvent, "altKey" | "ctrlKey" | "key" | "metaKey">

/**
 * What a key press is for: the command palette, a key of the page or the place, or none. `isTaken`: a field or a dialog has the
 * keys that are not commands.
 */
export const keyOf = ({ altKey, ctrlKey, key, metaKey }: Keys, isTaken: boolean): string | undefined => {
  if ((ctrlKey || metaKey) && !altKey && key.toLowerCase() === "k") return "mod+K"
  return isTaken || ctrlKey || metaKey || altKey ? undefined : key
}

const isMac = /Mac|iPhone|iPad/.test(globalThis.navigator?.platform ?? "")

const shownKeys: Readonly<Record<string, string>> = {
  ArrowDown: "↓",
  ArrowUp: "↑",
  Escape: "Esc",
  Home: "Home",
  End: "End",
  "mod+K": isMac ? "⌘K" : "Ctrl K",
  "mod+Enter": isMac ? "⌘↵" : "Ctrl ↵"
}

const shownLetter = (key: string): string => (/^[A-Z]$/.test(key) ? `⇧${key}` : key.toUpperCase())

/** A key as it is printed on this machine's keyboard. */
export const shownKey = (key: string): string => shownKeys[key] ?? key.split(" ").map(shownLetter).join(" ")
