/** Light or dark: what the system says, until somebody chooses. */
import { effect, signal } from "@preact/signals"

const name = "svc-theme"
const stored = localStorage.getItem(name)

const chosen = signal<"light" | "dark" | undefined>(stored === "light" || stored === "dark" ? stored : undefined)

effect(() => {
  if (chosen.value === undefined) document.documentElement.removeAttribute("data-theme")
  else document.documentElement.dataset["theme"] = chosen.value
})

/** Changes to the other one, and remembers it. */
export const switchTheme = (): void => {
  const isDark =
    chosen.value === undefined ? matchMedia("(prefers-color-scheme: dark)").matches : chosen.value === "dark"
  chosen.value = isDark ? "light" : "dark"
  localStorage.setItem(name, chosen.value)
}
