/** The dialog that is open. */

import { useState } from "preact/hooks"
import { approveBatch, batch } from "../draft/approving.ts"
import { dropKept, keep, readKept } from "../form/kept.ts"
import { pressed } from "../keys/actions.ts"
import { entries, shownKey } from "../keys/keyMap.ts"
import { areLettersOn, switchLetters } from "../keys/switch.ts"
import { rejection, rewriteRequest } from "../outbox/calls.ts"
import { decideOn } from "../outbox/deciding.ts"
import { closeDialog, current, type Dialog, marked, placeKeys } from "../screen/state.ts"
import type { Item } from "../service/shapes.ts"
import { Name } from "../text/Prose.tsx"
import { Cancel, Modal } from "./Modal.tsx"
import { Palette } from "./Palette.tsx"
import { Conflict, SendNow } from "./SendNow.tsx"
import { Until } from "./Until.tsx"

const Batch = () => {
  const ready = batch()
  const left = marked.value.size - ready.length
  return (
    <Modal title={`Approve ${ready.length} of ${marked.value.size} selected?`} keys={{ a: approveBatch }}>
      <ul class="plain-list batch-list">
        {ready.map(({ item }) => (
          <li key={item.item_id}>
            <strong>
              <Name>{item.lead?.name}</Name>
            </strong>{" "}
            <span class="quiet">
              <Name>{item.preview}</Name>
            </span>
          </li>
        ))}
      </ul>
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
      {[...placeKeys.value.map(({ key, text }) => ({ keys: [key], text })), ...entries]
        .filter(({ keys }) => keys.length > 0)
        .map(({ keys, text }) => (
          <div key={text}>
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

const usual = {
  reject: ["Wrong person", "Not the right moment", "Tone is off", "A fact is wrong"],
  rewrite: ["Shorter", "Less formal", "Say why we write to them", "One clear question at the end"]
}

const Reason = ({ item, kind }: { readonly item: Item; readonly kind: "reject" | "rewrite" }) => {
  const id = `${kind} ${item.item_id}`
  const [text, setValue] = useState(() => readKept<string>(id)?.value ?? "")
  const setText = (value: string): void => {
    setValue(value)
    keep(id, value)
  }
  const details = current.value
  const name = item.lead?.name ?? "this item"
  const submit = (event: Event) => {
    event.preventDefault()
    closeDialog()
    if (details === undefined || text.trim() === "") return
    dropKept(id)
    decideOn(item, kind === "reject" ? rejection(details, text.trim()) : rewriteRequest(details, text.trim()))
  }
  return (
    <Modal
      title={kind === "reject" ? `Reject ${item.kind} to ${name}` : `Ask for a new version for ${name}`}
      isUnsaved={text.trim() !== ""}
    >
      <form onSubmit={submit}>
        <label for="reason">{kind === "reject" ? "Reason, for the writer" : "What should change"}</label>
        <input
          id="reason"
          value={text}
          maxLength={500}
          autofocus
          dir="auto"
          autocomplete="off"
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
        <div class="choices" role="group" aria-label="Usual answers">
          {usual[kind].map((one) => (
            <button type="button" key={one} onClick={() => setText(one)}>
              {one}
            </button>
          ))}
        </div>
        <div class="dialog-foot line">
          <button type="submit" class="primary" disabled={text.trim() === ""}>
            {kind === "reject" ? "Reject" : "Ask"} <kbd>↵</kbd>
          </button>
          <Cancel />
        </div>
      </form>
    </Modal>
  )
}

/** The component of each kind of dialog. */
export const Dialogs = ({ dialog }: { readonly dialog: Dialog }) => {
  switch (dialog.kind) {
    case "reject":
    case "rewrite":
      return <Reason kind={dialog.kind} item={dialog.item} />
    case "until":
      return <Until {...dialog} />
    case "send":
      return <SendNow details={dialog.details} />
    case "batch":
      return <Batch />
    case "conflict":
      return <Conflict before={dialog.before} variation={dialog.variation} mine={dialog.mine} />
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
