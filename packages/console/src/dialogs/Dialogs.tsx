/** The dialog that is open. */
import { approveBatch, batch } from "../draft/approving.ts"
import { entries, pressed } from "../keys/actions.ts"
import { shownKey } from "../keys/keyMap.ts"
import { areLettersOn, switchLetters } from "../keys/switch.ts"
import { keysHere } from "../keys/usePlaceKeys.ts"
import { EntryList } from "../list/Entries.tsx"
import { leavingText } from "../outbox/calls.ts"
import { type Dialog, marked } from "../screen/state.ts"
import { Cancel, Modal } from "./Modal.tsx"
import { Palette } from "./Palette.tsx"
import { Conflict, SendNow } from "./SendNow.tsx"
import { Until } from "./Until.tsx"

const Batch = ({ when }: Extract<Dialog, { readonly kind: "batch" }>) => {
  const ready = batch()
  const left = marked.value.size - ready.length
  return (
    <Modal
      title={`Approve ${ready.length} of ${marked.value.size} selected${leavingText(when)}?`}
      keys={{ a: approveBatch }}
    >
      <div class="batch-list">
        <EntryList entries={ready.map(({ item }) => ({ name: item.lead?.name ?? "", about: [item.preview] }))} />
      </div>
      {left > 0 && (
        <p class="quiet">
          {left === 1 ? "1 is" : `${left} are`} left out: not opened yet, with errors or warnings, or with several
          variations.
        </p>
      )}
      <div class="dialog-foot line">
        <button
          type="button"
          class="primary"
          data-approves
          disabled={ready.length === 0}
          onClick={() => approveBatch(pressed())}
        >
          Approve {ready.length} <kbd>A</kbd>
        </button>
        <Cancel />
      </div>
    </Modal>
  )
}

const Help = () => (
  <Modal title="Keys" isWide>
    <dl class="keys stack">
      {[...keysHere(), ...entries]
        .filter(({ keys }) => keys.length > 0)
        .map(({ keys, text }) => (
          <div key={text} class="line">
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{shownKey(key)}</kbd>
              ))}
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
    </dl>
    <label class="check">
      <input type="checkbox" checked={areLettersOn.value} onChange={switchLetters} /> Single-letter keys
    </label>
    <p class="quiet">
      A works once the text has been on screen for 0.3 s. Enter never approves. On a phone, swipe right to approve and
      left to reject.
    </p>
    <div class="dialog-foot line">
      <Cancel text="Close" />
    </div>
  </Modal>
)

/** The component of each kind of dialog. */
export const Dialogs = ({ dialog }: { readonly dialog: Dialog }) => {
  switch (dialog.kind) {
    case "until":
      return <Until {...dialog} />
    case "send":
      return <SendNow {...dialog} />
    case "batch":
      return <Batch {...dialog} />
    case "conflict":
      return <Conflict {...dialog} />
    case "palette":
      return <Palette />
    case "help":
      return <Help />
    case "question":
      return (
        <Modal title={dialog.title} isWide={dialog.isWide === true}>
          {dialog.body()}
        </Modal>
      )
  }
}
