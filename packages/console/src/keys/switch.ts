/** Whether single letters are keys, as people with speech input or a tremor switch them off (WCAG 2.1, 2.1.4). */
import { signal } from "@preact/signals"
import { say } from "../screen/state.ts"

const name = "svc-letters"

/** Whether they are. */
export const areLettersOn = signal(localStorage.getItem(name) !== "off")

/** Changes it, and remembers it in this browser. */
export const switchLetters = (): void => {
  areLettersOn.value = !areLettersOn.value
  localStorage.setItem(name, areLettersOn.value ? "on" : "off")
  say(
    areLettersOn.value ? "Single-letter keys are on." : "Single-letter keys are off. Arrows, Esc and the buttons work."
  )
}
