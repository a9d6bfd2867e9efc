/** The workspace in the browser. */

import { effect, untracked } from "@preact/signals"
import { render } from "preact"
import { listenToKeys } from "./keys/actions.ts"
import { follow, lookAt } from "./live/follow.ts"
import { resume, startSender } from "./outbox/deciding.ts"
import { followHistory, route } from "./place/route.ts"
import { readCounts } from "./queue/reading.ts"
import { followQueue } from "./queue/url.ts"
import { titleOf } from "./screen/Bar.tsx"
import { Screen } from "./screen/Screen.tsx"
import { column, owner, queue, session } from "./screen/state.ts"
import { startSession } from "./session/SignIn.tsx"
import "./style/page.css"

const root = document.querySelector("#page")
if (root !== null) {
  root.replaceChildren()
  render(<Screen />, root)
}

listenToKeys()
followHistory()
startSender()

let lastOwner = ""
const start = (): void => {
  // What one person read is not shown to another.
  if (lastOwner !== "" && lastOwner !== owner()) location.reload()
  else if (lastOwner === "") {
    if (route.value.item !== undefined) column.value = "draft"
    follow()
    followQueue()
  }
  lastOwner = owner()
  resume()
  void readCounts()
}
effect(() => {
  if (session.value.state === "in") untracked(start)
})

effect(() => {
  document.title = titleOf()
})

let looked: string | undefined
effect(() => {
  const { selected } = queue.value
  const shown = route.value.place === "review" ? selected : undefined
  if (shown === looked) return
  looked = shown
  untracked(lookAt)
})

void startSession()
