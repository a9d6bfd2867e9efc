/** A question over the page. The browser keeps the focus inside, and Esc closes it. */
import type { ComponentChildren } from "preact"
import { useLayoutEffect, useRef, useState } from "preact/hooks"
import type { Pressed } from "../keys/keyMap.ts"
import { closeDialog } from "../screen/state.ts"

interface ModalProps {
  readonly title: string
  readonly children: ComponentChildren
  /** What its keys do. */
  readonly keys?: Readonly<Record<string, (press: Pressed) => void>>
  readonly isWide?: boolean
  /** Whether it has a text that is not sent: then Esc asks once. */
  readonly isUnsaved?: boolean
}

/** The dialog. */
export const Modal = ({ children, isUnsaved = false, isWide = false, keys = {}, title }: ModalProps) => {
  const box = useRef<HTMLDialogElement>(null)
  const [isAsking, setAsking] = useState(false)
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
        if (event.key === "Escape" && isUnsaved && !isAsking) {
          event.preventDefault()
          setAsking(true)
        }
        const act = keys[event.key]
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
        {isAsking && (
          <p class="quiet small" role="status">
            Not sent yet. Press Esc again to close. Your text is kept here.
          </p>
        )}
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
