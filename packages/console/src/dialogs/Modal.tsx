/** A question over the page. The browser keeps the focus inside, and Esc closes it. */
import type { ComponentChildren } from "preact"
import { useEffect, useRef } from "preact/hooks"
import { dialog } from "../screen/state.ts"

interface ModalProps {
  readonly title: string
  readonly children: ComponentChildren
  readonly onKey?: (event: KeyboardEvent) => void
  readonly isWide?: boolean
}

/** See above. */
export const Modal = ({ children, isWide = false, onKey, title }: ModalProps) => {
  const box = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const element = box.current
    element?.showModal()
    return () => element?.close()
  }, [])
  return (
    <dialog
      ref={box}
      class={isWide ? "wide" : ""}
      aria-label={title}
      onKeyDown={onKey}
      onClose={() => {
        dialog.value = undefined
      }}
      onClick={(event) => {
        if (event.target === box.current) dialog.value = undefined
      }}
    >
      <div class="dialog-body">
        <h2>{title}</h2>
        {children}
      </div>
    </dialog>
  )
}

/** Closes without doing anything. */
export const Cancel = ({ text = "Cancel" }: { readonly text?: string }) => (
  <button
    type="button"
    autofocus
    onClick={() => {
      dialog.value = undefined
    }}
  >
    {text} <kbd>Esc</kbd>
  </button>
)
