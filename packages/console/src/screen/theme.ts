/** Light or dark: what the system says, until somebody chooses. */
import { effect, signal } from "@preact/signals"

const name = "svc-theme"
const stored = localStorage.getItem(name)

type Theme = "light" | "dark" | undefined

const themeOf = (text: string | null): Theme => (text === "light" || text === "dark" ? text : undefined)

/** What somebody chose in this browser; undefined follows the system. */
export const chosen = signal(themeOf(stored))

effect(() => {
  if (chosen.value === undefined) document.documentElement.removeAttribute("data-theme")
  else document.documentElement.dataset["theme"] = chosen.value
})

/** Chooses one, or the system's with any other text, and remembers it. */
export const chooseTheme = (text: string): void => {
  chosen.value = themeOf(text)
  localStorage.setItem(name, text)
}

/** Changes to the other one. */
export const switchTheme = (): void => {
  const isDark =
    chosen.value === undefined ? matchMedia("(prefers-color-scheme: dark)").matches : chosen.value === "dark"
  chooseTheme(isDark ? "light" : "dark")
}
