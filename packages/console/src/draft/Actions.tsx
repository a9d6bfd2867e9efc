/** The buttons of an item, each with its key. */
import { perform } from "../keys/actions.ts"
import { type Action, entries, shownKey } from "../keys/keyMap.ts"
import { pressed } from "../keys/pressed.ts"
import type { Details } from "../service/shapes.ts"
import { isReviewable } from "./Reading.ts"

const texts: Partial<Record<Action, string>> = {
  approve: "Approve",
  send: "Send now…",
  edit: "Edit",
  reject: "Reject",
  rewrite: "Rewrite",
  snooze: "Snooze",
  flag: "Flag",
  withdraw: "Back to review"
}

const actionsOf = (details: Details): ReadonlyArray<Action> => {
  const { kind, state } = details.item
  if (isReviewable(details)) {
    return kind === "message"
      ? ["approve", "edit", "reject", "rewrite", "snooze", "flag", "send"]
      : ["approve", "reject"]
  }
  const isWaiting = ["queued", "waiting_relation", "blocked", "rejected", "cancelled"].includes(state)
  return kind === "message" && isWaiting ? ["withdraw", "flag"] : []
}

/** See above. */
export const Actions = ({ details }: { readonly details: Details }) => (
  <div class="actions" role="group" aria-label="Decisions">
    {actionsOf(details).map((action) => {
      const key = entries.find((entry) => entry.action === action)?.keys[0] ?? ""
      const isApproval = action === "approve" || action === "send"
      return (
        <button
          type="button"
          key={action}
          class={action === "approve" ? "primary" : ""}
          data-approves={isApproval ? "" : undefined}
          onClick={() => perform(action, pressed())}
        >
          {action === "flag" && details.item.flagged ? "Unflag" : texts[action]} <kbd>{shownKey(key)}</kbd>
        </button>
      )
    })}
  </div>
)
