/** The buttons of an item, each with its key. */
import { type Action, entries, perform, pressed } from "../keys/actions.ts"
import { shownKey } from "../keys/keyMap.ts"
import { decideOn } from "../outbox/deciding.ts"
import { Icon } from "../screen/Icon.tsx"
import { variation } from "../screen/state.ts"
import type { Details, Finding } from "../service/shapes.ts"
import { Visible } from "../text/Prose.tsx"
import { departureText } from "./departure.ts"
import { canWithdraw, findingsOf, isReviewable } from "./Reading.ts"

const texts: Partial<Record<Action, string>> = {
  approve: "Approve",
  later: "Approve for later…",
  send: "Send now…",
  edit: "Edit",
  reject: "Reject",
  rewrite: "Rewrite",
  snooze: "Snooze",
  flag: "Flag",
  withdraw: "Back to review"
}

const actionsOf = (details: Details): ReadonlyArray<Action> => {
  const { kind } = details.item
  if (isReviewable(details)) {
    return kind === "message"
      ? ["approve", "later", "edit", "reject", "rewrite", "snooze", "flag", "send"]
      : kind === "email"
        ? ["approve", "later", "edit", "reject"]
        : ["approve", "reject"]
  }
  return kind === "message" && canWithdraw(details.item) ? ["withdraw", "flag"] : []
}

/** The buttons of what can be done now. */
export const Actions = ({ details }: { readonly details: Details }) => (
  <>
    {actionsOf(details).map((action) => {
      const key = entries.find((entry) => entry.action === action)?.keys[0] ?? ""
      const isApproval = ["approve", "later", "send"].includes(action)
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
  </>
)

/** When it is sent, and what it waits for. */
export const Departure = ({ departure }: Pick<Details, "departure">) => {
  if (departure === null) return null
  return (
    <p class="line small quiet">
      <Icon name="clock" />
      <span>{departureText(departure)}</span>
    </p>
  )
}

const nouns = { error: "Error", warning: "Warning", info: "Hint" }

/** What is wrong with the text. */
export const Findings = ({ findings, text }: { readonly findings: ReadonlyArray<Finding>; readonly text: string }) =>
  findings.length === 0 ? null : (
    <ul class="plain-list" aria-label="Issues">
      {findings.map(({ code, end, hint, message, severity, start }) => (
        <li key={`${code} ${start} ${message}`} class={`finding part-problem line small ${severity}`}>
          <Icon name="warning" />
          <span>
            <strong>{nouns[severity]}:</strong> {message}
            {start !== null && end !== null && <q>{text.slice(start, end)}</q>} <span class="quiet">{hint}</span>
          </span>
        </li>
      ))}
    </ul>
  )

/** What went wrong with the item, and what can be done. */
export const ProblemBox = ({ details: { item, problem } }: { readonly details: Details }) =>
  problem === null ? null : (
    <section class="problem-box panel" aria-label="Problem">
      <p>
        <strong>{problem.what}</strong>
      </p>
      <p>{problem.guidance}</p>
      <div class="choices">
        {problem.choices.map(({ command, input, label }) => (
          <button
            type="button"
            key={label}
            onClick={() =>
              decideOn(item, {
                call: { command, input },
                reverse: null,
                label: `${label}: ${item.lead?.name ?? "unknown"}`,
                leaves: true
              })
            }
          >
            {label}
          </button>
        ))}
      </div>
    </section>
  )

interface VariationsProps {
  readonly texts: ReadonlyArray<string>
  readonly index: number
  readonly details: Details
}

/** The texts to choose from. */
export const Variations = ({ details, index, texts }: VariationsProps) =>
  texts.length < 2 ? null : (
    <div class="variations stack" role="group" aria-label="Variations">
      {texts.map((text, at) => {
        const errors = findingsOf(details, at).filter(({ severity }) => severity === "error").length
        return (
          <button
            type="button"
            key={text}
            class="variation quiet"
            aria-pressed={at === index}
            onClick={() => {
              variation.value = at
            }}
          >
            <kbd>{at + 1}</kbd>
            <span class="cut small" dir="auto">
              <Visible text={text} />
            </span>
            {errors > 0 && <span class="sign error">{errors}</span>}
          </button>
        )
      })}
    </div>
  )
