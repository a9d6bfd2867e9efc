/** A question over the page. The browser keeps the focus inside, and Esc closes it. */
import type { ComponentChildren } from "preact"
import { useLayoutEffect, useRef } from "preact/hooks"
import type { Pressed } from "../keys/keyMap.ts"
import { closeDialog } from "../screen/state.ts"

interface ModalProps {
  readonly title: string
  readonly children: ComponentChildren
  /** What its keys do. */
  readonly keys?: Readonly<Record<string, (press: Pressed) => void>>
  readonly isWide?: boolean
}

/** The dialog. */
export const Modal = ({ children, isWide = false, keys = {}, title }: ModalProps) => {
  const box = useRef<HTMLDialogElement>(null)
  // At once, so that the next key is the dialog's.
  useLayoutEffect(() => {
    const element = box.current
    element?.showModal()
    return () => element?.close()
  }, [])
  return (
    <dialog
      ref={box}
      class={isWide ? "panel wide" : "panel"}
      aria-label={title}
      onKeyDown={(event) => {
        const act = event.target instanceof HTMLInputElement ? undefined : keys[event.key]
        if (act === undefined) return
        event.preventDefault()
        act({ at: event.timeStamp, isRepeat: event.repeat })
      }}
      onClose={closeDialog}
      onClick={(event) => {
        if (event.target === box.current) closeDialog()
      }}
    >
      <div class="dialog-body stack">
        <h2>{title}</h2>
        {children}
      </div>
    </dialog>
  )
}

/** Closes without doing anything. */
export const Cancel = ({ text = "Cancel" }: { readonly text?: string }) => (
  <button type="button" autofocus onClick={closeDialog}>
    {text} <kbd>Esc</kbd>
  </button>
)
