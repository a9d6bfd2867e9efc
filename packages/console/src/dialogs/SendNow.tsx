/** Asks before a message is sent at once: to whom, and from which account. */
import { sendNow } from "../draft/approving.ts"
import { Difference } from "../draft/Changed.tsx"
import { saveMine } from "../draft/Editor.tsx"
import { findingsOf, textsOf } from "../draft/Reading.ts"
import { pressed } from "../keys/actions.ts"
import { Facts, useReading } from "../list/Detail.tsx"
import { go } from "../place/route.ts"
import { closeDialog, type Dialog, details, variation } from "../screen/state.ts"
import { run } from "../service/request.ts"
import type { Details, ResultOf } from "../service/shapes.ts"
import { Visible } from "../text/Prose.tsx"
import { Cancel, Modal } from "./Modal.tsx"

type Account = ResultOf<"linkedin.account.list">["accounts"][number]

const accountText = (handle: string | undefined, accounts: ReadonlyArray<Account> | undefined): string => {
  if (accounts === undefined) return "looking for the account…"
  const account = accounts.find(({ agent_handle }) => agent_handle === handle)
  if (account === undefined) return "the account that the gateway provides"
  const { name, public_url } = account
  const shown = public_url?.replace(/^https?:\/\/(www\.)?/, "") ?? `LinkedIn account ${name}`
  return `${shown}${account.status === "OK" ? "" : `, ${account.status.toLowerCase()}`}`
}

/** The question. */
export const SendNow = ({ details }: { readonly details: Details }) => {
  const { agent, lead } = details.item
  const hasErrors = findingsOf(details, variation.value).some(({ severity }) => severity === "error")
  const { reading } = useReading(() => run("linkedin.account.list", {}), /^linkedin\b/)
  return (
    <Modal title={`Send to ${lead?.name ?? "this person"} now?`} keys={{ A: sendNow }}>
      <Facts
        facts={[
          ["To", [lead?.name, lead?.company_name].filter(Boolean).join(", ")],
          ["From", `${agent?.name ?? ""} (${accountText(agent?.handle, reading.value.data?.accounts)})`]
        ]}
      />
      <div class="quote prose" dir="auto">
        <Visible text={textsOf(details)[variation.value] ?? ""} />
      </div>
      {hasErrors && <p class="sign error">The text has an error.</p>}
      <p class="quiet">Sends immediately, ignoring limits and working hours. You can't undo this.</p>
      <div class="dialog-foot line">
        <button type="button" class="primary" data-approves onClick={() => sendNow(pressed())}>
          Send now <kbd>⇧A</kbd>
        </button>
        <Cancel />
      </div>
    </Modal>
  )
}

/** What was read or written, and what somebody else made of it meanwhile. */
export const Conflict = ({ before, mine, variation }: Extract<Dialog, { readonly kind: "conflict" }>) => {
  const id = before.item.item_id
  const now = details.value.get(id)
  const isRead = now !== undefined && now.content_hash !== before.content_hash
  const left = mine ?? textsOf(before)[variation] ?? ""
  const own = mine === undefined ? "What you read" : "What you wrote"
  const right = now === undefined ? "" : (textsOf(now)[variation] ?? "")
  return (
    <Modal title="The text changed while you were reading" isWide>
      <p>
        Nothing was {mine === undefined ? "approved" : "saved"}. Compare both for{" "}
        {before.item.lead?.name ?? "this item"}.
      </p>
      <div class="sides stack">
        <section class="stack" aria-label={own}>
          <h3>{own}</h3>
          <div class="quote prose" dir="auto">
            {left}
          </div>
        </section>
        <section class="stack" aria-label="What it says now">
          <h3>What it says now</h3>
          {isRead ? <Difference before={left} after={right} /> : <p class="quiet">Loading…</p>}
        </section>
      </div>
      <div class="dialog-foot line">
        <button
          type="button"
          class="primary"
          onClick={() => {
            closeDialog()
            go({ item: id }, "replace")
          }}
        >
          Read the new text
        </button>
        {mine !== undefined && isRead && (
          <button type="button" onClick={() => void saveMine(now, mine, variation)}>
            Save mine instead
          </button>
        )}
      </div>
    </Modal>
  )
}
