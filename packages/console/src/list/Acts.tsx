/** What can be done, as buttons with their keys. */
import { shownKey } from "../keys/keyMap.ts"
import { usePlaceKeys } from "../keys/usePlaceKeys.ts"

/** Something that can be done. */
export interface Act {
  readonly text: string
  readonly key?: string
  readonly isPrimary?: boolean
  readonly isOff?: boolean
  /** Of choices: whether it is the chosen one. */
  readonly isPressed?: boolean
  readonly run: () => void
}

/** The buttons. */
export const Acts = ({ acts }: { readonly acts: ReadonlyArray<Act | false> }) => {
  const shown = acts.filter((act) => act !== false)
  usePlaceKeys(shown.flatMap(({ key, run, text }) => (key === undefined ? [] : [{ keys: [key], run, text }])))
  return (
    <>
      {shown.map(({ isOff = false, isPressed, isPrimary = false, key, run, text }) => (
        <button
          type="button"
          key={text}
          class={isPrimary ? "primary" : undefined}
          aria-pressed={isPressed}
          disabled={isOff}
          onClick={run}
        >
          {text} {key !== undefined && <kbd>{shownKey(key)}</kbd>}
        </button>
      ))}
    </>
  )
}
