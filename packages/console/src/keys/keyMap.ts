/** What each key does, where. Pure. */

/** A key press or a swipe. `at` is when it happened, as `performance.now()`. */
export interface Pressed {
  readonly at: number
  readonly isRepeat: boolean
}

/** Those with `in` work in the review queue only. */
const table = [
  { action: "next", keys: ["j", "ArrowDown"], text: "Next item" },
  { action: "previous", keys: ["k", "ArrowUp"], text: "Previous item" },
  { action: "choose1", keys: ["1"], text: "Choose variation 1", in: "review" },
  { action: "choose2", keys: ["2"], text: "Choose variation 2", in: "review" },
  { action: "choose3", keys: ["3"], text: "Choose variation 3", in: "review" },
  { action: "approve", keys: ["a"], text: "Approve and go to the next", in: "review" },
  { action: "send", keys: ["A"], text: "Send now, after a question", in: "review" },
  { action: "edit", keys: ["e"], text: "Edit the text", in: "review" },
  { action: "reject", keys: ["x"], text: "Reject with a reason", in: "review" },
  { action: "rewrite", keys: ["r"], text: "Ask for a rewrite", in: "review" },
  { action: "snooze", keys: ["h"], text: "Snooze", in: "review" },
  { action: "flag", keys: ["f"], text: "Flag, or remove the flag", in: "review" },
  { action: "undo", keys: ["z"], text: "Undo" },
  { action: "withdraw", keys: ["u"], text: "Take an approved message back to review", in: "review" },
  { action: "mark", keys: ["v"], text: "Select for a batch", in: "review" },
  { action: "search", keys: ["/"], text: "Search this list, or find anyone" },
  { action: "filters", keys: ["F"], text: "Filter", in: "review" },
  { action: "previousTab", keys: ["["], text: "Previous tab" },
  { action: "nextTab", keys: ["]"], text: "Next tab" },
  { action: "first", keys: ["Home"], text: "First item" },
  { action: "last", keys: ["End"], text: "Last item" },
  { action: "palette", keys: ["mod+K"], text: "Commands" },
  { action: "help", keys: ["?"], text: "Keys" },
  { action: "overview", keys: ["o", "g o"], text: "Go to what needs you" },
  { action: "review", keys: ["g r"], text: "Go to Review" },
  { action: "replies", keys: ["g p"], text: "Go to Replies" },
  { action: "leads", keys: ["g l"], text: "Go to Leads" },
  { action: "missions", keys: ["g m"], text: "Go to Missions" },
  { action: "import", keys: ["g i"], text: "Go to Import" },
  { action: "settings", keys: ["g s"], text: "Go to Settings" },
  { action: "lead", keys: ["i"], text: "Lead and mission, on a narrow screen", in: "review" },
  { action: "theme", keys: [], text: "Switch between light and dark" },
  { action: "keys", keys: [], text: "Switch single-letter keys on or off" },
  { action: "signOut", keys: [], text: "Sign out" },
  { action: "back", keys: ["Escape"], text: "Close, clear or go back" }
] as const

/** Everything that a key or the palette can do. */
export type Action = (typeof table)[number]["action"]

/** An action with its keys, for help and palette. */
interface Entry {
  readonly action: Action
  readonly keys: ReadonlyArray<string>
  readonly text: string
  readonly in?: "review"
}

/** All of them, in the order that help shows. */
export const entries: ReadonlyArray<Entry> = table

const byKey = new Map(entries.flatMap((entry) => entry.keys.map((key) => [key, entry] as const)))

type Keys = Pick<KeyboardEvent, "altKey" | "ctrlKey" | "key" | "metaKey">

/**
 * What a key press is for: the command palette, a key of the tables, or none. `isTaken`: a field or a dialog has the keys that are
 * not commands.
 */
export const keyOf = ({ altKey, ctrlKey, key, metaKey }: Keys, isTaken: boolean): string | undefined => {
  if ((ctrlKey || metaKey) && !altKey && key.toLowerCase() === "k") return "mod+K"
  return isTaken || ctrlKey || metaKey || altKey ? undefined : key
}

/** The entry of a key, or of two one after the other, as in `g l`. */
export const entryOf = (key: string): Entry | undefined => byKey.get(key)

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
