/** What a person does about a follow-up that is due: write it, or ask the writer. */
import { askForm } from "../form/askForm.tsx"
import { area, line } from "../form/values.ts"
import { act } from "../service/act.ts"
import type { Outcome } from "../service/outcome.ts"
import { run } from "../service/request.ts"
import type { Planned } from "./facts.ts"

/** The buttons; none before it is due. What is written waits in Review. */
export const followUpActs = (planned: Planned, onDone: () => unknown = () => {}) => {
  const { channel, due_at, evidence, lead_id, mission_id, name, purpose } = planned
  const instructions = evidence === "" ? purpose : `${purpose}\nEvidence wanted: ${evidence}`
  const to = { lead_id, mission_id }
  const isEmail = channel === "EMAIL"
  const write = () =>
    askForm({
      id: `follow-up ${mission_id} ${planned.step} to ${lead_id}`,
      title: `${isEmail ? "Email" : "LinkedIn message"} to ${name}`,
      submit: "Write",
      isWide: true,
      fields: [
        ...(isEmail ? [line("subject", "Subject", { required: true, maxLength: 200 })] : []),
        area("text", "Text", 8, { required: true, autofocus: true, hint: instructions })
      ],
      onSubmit: ({ subject, text }, _, key): Promise<Outcome<unknown>> =>
        isEmail
          ? run("email.send", { ...to, subject: String(subject), body_text: String(text) }, { key })
          : run("linkedin.draft.create", { ...to, variations: [String(text)] }, { key }),
      done: "Written. It waits in Review.",
      onDone
    })
  const ask = () =>
    void act("linkedin.conversation.request-draft", { ...to, instructions }, "Asked the writer for a draft.").then(
      onDone
    )
  const buttons = [["Write…", write] as const, ["Ask the writer", ask] as const]
  return Date.parse(due_at) > Date.now() ? [] : buttons
}
