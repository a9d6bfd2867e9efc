/** What each key does, where. Pure. */

const table = [
  { action: "next", keys: ["j", "ArrowDown"], text: "Next item" },
  { action: "previous", keys: ["k", "ArrowUp"], text: "Previous item" },
  { action: "choose1", keys: ["1"], text: "Choose variation 1" },
  { action: "choose2", keys: ["2"], text: "Choose variation 2" },
  { action: "choose3", keys: ["3"], text: "Choose variation 3" },
  { action: "approve", keys: ["a"], text: "Approve and go to the next" },
  { action: "send", keys: ["A"], text: "Send now, after a question" },
  { action: "edit", keys: ["e"], text: "Edit the text" },
  { action: "reject", keys: ["x"], text: "Reject with a reason" },
  { action: "rewrite", keys: ["r"], text: "Ask for a rewrite" },
  { action: "snooze", keys: ["h"], text: "Snooze" },
  { action: "flag", keys: ["f"], text: "Flag, or remove the flag" },
  { action: "undo", keys: ["z"], text: "Undo" },
  { action: "withdraw", keys: ["u"], text: "Take an approved message back to review" },
  { action: "mark", keys: ["v"], text: "Select for a batch" },
  { action: "search", keys: ["/"], text: "Search" },
  { action: "filters", keys: ["F"], text: "Filter" },
  { action: "previousTab", keys: ["["], text: "Previous tab" },
  { action: "nextTab", keys: ["]"], text: "Next tab" },
  { action: "first", keys: ["Home"], text: "First item" },
  { action: "last", keys: ["End"], text: "Last item" },
  { action: "palette", keys: ["⌘K"], text: "Commands" },
  { action: "help", keys: ["?"], text: "Keys" },
  { action: "overview", keys: ["o"], text: "Overview" },
  { action: "lead", keys: ["i"], text: "Lead and mission, on a narrow screen" },
  { action: "theme", keys: [], text: "Switch between light and dark" },
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
}

/** All of them, in the order that help shows. */
export const entries: ReadonlyArray<Entry> = table

const byKey = new Map(entries.flatMap(({ action, keys }) => keys.map((key) => [key, action] as const)))

/** The action of a key press; undefined for none. `isTaken`: a field or a dialog has the keys that are not commands. */
export const actionOf = (
  { altKey, ctrlKey, key, metaKey }: Pick<KeyboardEvent, "altKey" | "ctrlKey" | "key" | "metaKey">,
  isTaken: boolean
): Action | undefined => {
  if ((ctrlKey || metaKey) && !altKey && key.toLowerCase() === "k") return "palette"
  if (isTaken || ctrlKey || metaKey || altKey) return undefined
  return byKey.get(key)
}

const shownKeys: Readonly<Record<string, string>> = {
  ArrowDown: "↓",
  ArrowUp: "↑",
  A: "⇧A",
  F: "⇧F",
  Escape: "Esc",
  Home: "Home",
  End: "End"
}

/** A key as it is printed. */
export const shownKey = (key: string): string => shownKeys[key] ?? key.toUpperCase()
