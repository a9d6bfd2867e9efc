/** The review page. */

import { effect, untracked } from "@preact/signals"
import { render } from "preact"
import { listenToKeys } from "./keys/actions.ts"
import { follow, lookAt } from "./live/follow.ts"
import { resume, startSender } from "./outbox/deciding.ts"
import { openTab } from "./queue/reading.ts"
import { Screen } from "./screen/Screen.tsx"
import { column, queue, session } from "./screen/state.ts"
import { linkedItem, pagePath } from "./service/request.ts"
import { startSession } from "./session/SignIn.tsx"
import "./style/page.css"

const linked = linkedItem()
const root = document.querySelector("#page")
if (root !== null) {
  root.replaceChildren()
  render(<Screen />, root)
}

listenToKeys()
startSender()

let isOpen = false
const start = (): void => {
  resume()
  if (isOpen) {
    openTab(queue.value.tab)
    return
  }
  isOpen = true
  if (linked !== undefined) column.value = "draft"
  openTab("to_review", {}, linked)
  follow()
}
effect(() => {
  if (session.value.state === "in") untracked(start)
})

let urlTimer: ReturnType<typeof setTimeout> | undefined
effect(() => {
  const { selected } = queue.value
  if (session.value.state !== "in") return
  clearTimeout(urlTimer)
  // Browsers allow few changes of the URL per second.
  urlTimer = setTimeout(() => history.replaceState(null, "", pagePath(selected)), 500)
})

let looked: string | undefined
effect(() => {
  if (queue.value.selected === looked) return
  looked = queue.value.selected
  untracked(lookAt)
})

void startSession()
