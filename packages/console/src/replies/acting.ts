/** What can be done with a conversation beside answering: put it aside, set the status, ask the writer. */
import { confirm } from "../dialogs/Confirm.tsx"
import { askForm } from "../form/askForm.tsx"
import { area } from "../form/values.ts"
import { type LeadStatus, statusText } from "../lead/statuses.ts"
import { dateAndTime } from "../queue/times.ts"
import { dialog } from "../screen/state.ts"
import { act } from "../service/act.ts"
import type { Outcome } from "../service/outcome.ts"
import { run } from "../service/request.ts"
import type { Details } from "../service/shapes.ts"

type Refresh = () => Promise<void>

/** Puts a conversation aside until a day; its status stays. */
export const snooze = ({ item }: Details, refresh: Refresh): void => {
  dialog.value = {
    kind: "until",
    title: `Not now: ${item.lead?.name ?? "this conversation"}`,
    isSnoozed: item.snoozed_until !== null,
    onChoose: async (until) => {
      await act(
        "linkedin.conversation.snooze",
        { lead_id: item.item_id, until },
        until === null ? "Back among the open replies." : `Not now. Back ${dateAndTime(until)}.`
      )
      await refresh()
    }
  }
}

/** Sets a lead's status; asks first where nothing may be sent afterwards. */
export const setStatus = (
  lead: Pick<NonNullable<Details["lead"]>, "lead_id" | "name">,
  status: LeadStatus,
  refresh: Refresh
): void => {
  const set = async (): Promise<void> => {
    await act("lead.status.set", { lead_id: lead.lead_id, status }, `${lead.name}: ${statusText(status)}.`)
    await refresh()
  }
  if (status !== "DoNotContact") void set()
  else {
    confirm({
      title: `Never contact ${lead.name} again?`,
      text: "Messages and drafts that were not sent are cancelled. Only lifting the exclusion allows contact again.",
      button: "Do not contact",
      onYes: () => void set()
    })
  }
}

/** Asks the AI agents and people who write to draft the answer. */
export const askWriter = ({ content_hash, draft, item, lead, mission }: Details, refresh: Refresh): void =>
  askForm({
    id: `draft request ${item.item_id}`,
    title: `Ask the writer for a draft to ${item.lead?.name ?? "this person"}`,
    submit: "Ask",
    fields: [area("instructions", "What to write", 4, { required: true, maxLength: 2_000, autofocus: true })],
    values: { instructions: lead?.draft_request?.instructions ?? "" },
    onSubmit: (values, _, key): Promise<Outcome<unknown>> => {
      const instructions = String(values["instructions"])
      const hash = content_hash === null ? {} : { content_hash }
      const place = mission === null ? {} : { mission_id: mission.mission_id }
      return draft === null
        ? run("linkedin.conversation.request-draft", { lead_id: item.item_id, instructions, ...place }, { key })
        : run("linkedin.draft.request-rewrite", { draft_id: draft.draft_id, instructions, ...hash }, { key })
    },
    done: "Asked. The draft appears here when it is written.",
    onDone: refresh
  })

/** Puts the cursor into the answer. */
export const write = (): void => document.querySelector<HTMLElement>("#answer")?.focus()
