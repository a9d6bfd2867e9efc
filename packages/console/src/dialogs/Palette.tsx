/** Every command by its name. */
import { useEffect, useState } from "preact/hooks"
import { entries, pressed, showTab } from "../keys/actions.ts"
import { shownKey } from "../keys/keyMap.ts"
import { keysHere } from "../keys/usePlaceKeys.ts"
import { route } from "../place/route.ts"
import { reviewTabs } from "../queue/Queue.ts"
import { closeDialog } from "../screen/state.ts"
import { Modal } from "./Modal.tsx"

const notListed = new Set<string>(["approve", "later", "send", "palette", "back"])

/** What can be done here. Approvals are keys and buttons of what is on the screen: Enter in a list does not approve. */
const choicesNow = () => [
  ...[...keysHere(), ...entries]
    .filter((entry) => !notListed.has(entry.action ?? "") && (entry.in ?? route.value.place) === route.value.place)
    .map(({ keys, run, text }) => ({ text, key: shownKey(keys[0] ?? ""), run: () => run(pressed()) })),
  ...reviewTabs.map(([tab, text]) => ({ text: `Go to Review: ${text}`, key: "", run: () => showTab(tab) }))
]

/** The list, and the field that restricts it. */
export const Palette = () => {
  const [text, setText] = useState("")
  const [place, setPlace] = useState(0)
  const words = text.toLowerCase().split(/\s+/)
  const found = choicesNow().filter((choice) => words.every((word) => choice.text.toLowerCase().includes(word)))
  const at = Math.min(place, found.length - 1)
  useEffect(() => document.querySelector(`#command-${at}`)?.scrollIntoView({ block: "nearest" }), [at])
  const choose = (choice: (typeof found)[number] | undefined) => {
    closeDialog()
    // After the dialog gave the focus back.
    setTimeout(() => choice?.run())
  }
  return (
    <Modal title="Commands">
      <input
        role="combobox"
        aria-expanded="true"
        aria-controls="commands"
        aria-activedescendant={at >= 0 ? `command-${at}` : undefined}
        aria-label="Find a command"
        placeholder="Find a command"
        autocomplete="off"
        autofocus
        value={text}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value)
          setPlace(0)
        }}
        onKeyDown={(event) => {
          const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
          if (by !== undefined) setPlace(Math.max(0, Math.min(found.length - 1, at + by)))
          else if (event.key === "Enter") choose(found[at])
          else return
          event.preventDefault()
        }}
      />
      <div id="commands" role="listbox" aria-label="Commands" class="menu palette-list">
        {found.map((choice, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the focus and takes the keys.
          <div
            key={choice.text}
            id={`command-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            class={index === at ? "apart chosen" : "apart"}
            onClick={() => choose(choice)}
          >
            {choice.text} {choice.key !== "" && <kbd>{choice.key}</kbd>}
          </div>
        ))}
      </div>
      {found.length === 0 && <p class="quiet">No such command.</p>}
    </Modal>
  )
}
