/** The workspace in the browser. */

import { effect, untracked } from "@preact/signals"
import { render } from "preact"
import { listenToKeys } from "./keys/actions.ts"
import { follow, lookAt } from "./live/follow.ts"
import { resume, startSender } from "./outbox/deciding.ts"
import { followHistory } from "./place/route.ts"
import { prefetch, readCounts, selected } from "./queue/reading.ts"
import { titleOf } from "./screen/Bar.tsx"
import { Screen } from "./screen/Screen.tsx"
import { owner, session, variation } from "./screen/state.ts"
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

/** Another item begins with its first text. */
const look = (): void => {
  selected.value
  untracked(() => {
    variation.value = 0
    lookAt()
  })
}

let lastOwner = ""
const start = (): void => {
  // What one person read is not shown to another.
  if (lastOwner !== "" && lastOwner !== owner()) location.reload()
  else if (lastOwner === "") {
    follow()
    effect(look)
    effect(prefetch)
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

void startSession()
