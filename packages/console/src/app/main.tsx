/** The app that clients of the Model Context Protocol show beside a draft. */
import { render } from "preact"
import { App } from "./App.tsx"
import { ask, fieldsOf, type Json, listen, startListening, tell } from "./host.ts"
import { draftIdOf, read } from "./state.ts"
import "./app.css"

const root = document.querySelector<HTMLElement>("#app")

/** Takes the colors and fonts of the client. */
const wear = (context: Json): void => {
  const { theme } = context
  if (theme === "light" || theme === "dark") document.documentElement.style.colorScheme = theme
  for (const [name, value] of Object.entries(fieldsOf(fieldsOf(context["styles"])["variables"]))) {
    if (name.startsWith("--") && typeof value === "string") document.documentElement.style.setProperty(name, value)
  }
}

const readOf = (value: Json): void => {
  const id = draftIdOf(value)
  if (id !== undefined) void read(id)
}

startListening()
listen("ui/notifications/tool-input", (params) => readOf(fieldsOf(params["arguments"])))
listen("ui/notifications/tool-result", readOf)
listen("ui/notifications/host-context-changed", wear)
// A person comes back from the review page.
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible") void read()
})
window.addEventListener("focus", () => void read())

if (root !== null) {
  root.replaceChildren()
  render(<App />, root)
  new ResizeObserver(() => {
    const { height, width } = root.getBoundingClientRect()
    tell("ui/notifications/size-changed", { width: Math.ceil(width), height: Math.ceil(height) })
  }).observe(root)
}

const { hostContext } = await ask("ui/initialize", {
  appInfo: { name: "svc", version: "1" },
  appCapabilities: { availableDisplayModes: ["inline", "fullscreen"] },
  protocolVersion: "2026-01-26"
})
wear(fieldsOf(hostContext))
tell("ui/notifications/initialized")
