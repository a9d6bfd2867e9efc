/** The whole page. */

import { Dialogs } from "../dialogs/Dialogs.tsx"
import { Draft } from "../draft/Draft.tsx"
import { Lead } from "../lead/Lead.tsx"
import { Overview } from "../overview/Overview.tsx"
import { QueueList } from "../queue/QueueList.tsx"
import { SignIn } from "../session/SignIn.tsx"
import { Bar } from "./Bar.tsx"
import { Status } from "./Status.tsx"
import { column, dialog, isLeadOpen, session, view } from "./state.ts"

/** See above. */
export const Screen = () => {
  const { state } = session.value
  if (state === "starting") {
    return (
      <div class="starting" role="status">
        Loading…
      </div>
    )
  }
  if (state === "out") return <SignIn />
  return (
    <div class={`screen shows-${view.value} on-${column.value} ${isLeadOpen.value ? "over-lead" : ""}`}>
      <Bar />
      {view.value === "overview" ? (
        <Overview />
      ) : (
        <main class="columns" aria-label="Review">
          <h1 class="hidden">Review</h1>
          <QueueList />
          <Draft />
          <Lead />
        </main>
      )}
      <Status />
      {dialog.value !== undefined && <Dialogs dialog={dialog.value} />}
    </div>
  )
}
