/** The answer below a conversation: a draft, approved by sending what is on the screen. */
import { useEffect, useRef, useState } from "preact/hooks"
import { Departure, Findings, Variations } from "../draft/Actions.tsx"
import { textKeys } from "../draft/Editor.tsx"
import { readingTime } from "../draft/guard.ts"
import { followUpName } from "../draft/origin.ts"
import { findingsOf, textsOf } from "../draft/Reading.ts"
import { Characters } from "../draft/Text.tsx"
import { dropKept, keep, readKept } from "../form/kept.ts"
import { shownKey } from "../keys/keyMap.ts"
import { useReading } from "../list/Detail.tsx"
import { approval } from "../outbox/calls.ts"
import { decideOn } from "../outbox/deciding.ts"
import { Link } from "../screen/Link.tsx"
import { onceMore, say, variation } from "../screen/state.ts"
import { act } from "../service/act.ts"
import { run } from "../service/request.ts"
import type { Details } from "../service/shapes.ts"
import { Prose } from "../text/Prose.tsx"
import { answerOf, keptAnswer } from "./answering.ts"
import type { Mailed } from "./mailed.ts"

interface ComposerProps {
  readonly details: Details
  /** Where the answer is an e-mail. */
  readonly mailed?: Mailed | undefined
  readonly refresh: () => Promise<void>
}

/** An answer that waits to be sent. */
const Waiting = ({ act: [name, perform], id, text, title }: NonNullable<ReturnType<typeof waitingOf>>) => {
  const { reading } = useReading(() => run("review.get", { item_id: id }), /^(draft|queue|message|email)\b/)
  return (
    <section class="card stack small" aria-label="Answer">
      <h3>{title}</h3>
      <Prose text={text} />
      <Departure departure={reading.value.data?.departure ?? null} />
      <button type="button" onClick={() => void perform()}>
        {name}
      </button>
    </section>
  )
}

/** Why nobody may answer, if so. */
const refusalOf = ({ details: { lead }, mailed }: ComposerProps): string | undefined => {
  if (lead?.suppression != null) return `This person is excluded: ${lead.suppression.reason}`
  if (lead?.status === "DoNotContact") return "This person does not want to be contacted."
  return mailed?.refusal && `This can't be answered by email. ${mailed.refusal}`
}

/** The field and its buttons. */
const Answer = ({ details: read, mailed, refresh }: ComposerProps) => {
  // A draft is for LinkedIn.
  const details = mailed === undefined ? read : { ...read, draft: null, max_characters: null, findings: [] }
  const { content_hash, draft, item, max_characters } = details
  const [subject, setSubject] = useState(mailed?.subject ?? "")
  const id = keptAnswer(item.item_id)
  const texts = draft === null ? [] : textsOf(details)
  const index = Math.min(variation.value, Math.max(0, texts.length - 1))
  const before = texts[index] ?? ""
  const [own, setOwn] = useState(() => readKept<string>(id)?.value)
  const [checked, setChecked] = useState<Details | undefined>(undefined)
  const [isBusy, setBusy] = useState(false)
  const shownAt = useRef(0)
  const text = own ?? before
  useEffect(() => {
    shownAt.current = performance.now()
  }, [content_hash, index])

  const change = (next: string): void => {
    setOwn(next)
    setChecked(undefined)
    keep(id, next)
  }
  const forget = (): void => {
    dropKept(id)
    setOwn(undefined)
    setChecked(undefined)
  }
  const send = async (): Promise<void> => {
    if (isBusy) return
    if (text.trim() === "") {
      say("Write an answer first.")
      return
    }
    // A text of somebody else is read before it is sent.
    if (performance.now() - shownAt.current < readingTime) {
      say("Read it first, then press again.")
      return
    }
    setBusy(true)
    const stored = await answerOf(details, index, text, mailed, subject)
    setBusy(false)
    if (!stored.ok) {
      say(`Not sent: ${stored.problem.message} Your text is still here.`, "problem")
      return
    }
    const made = stored.data
    if (typeof made === "string") {
      forget()
      say(made)
      await refresh()
      return
    }
    const at = made.draft?.variations.length === 1 ? 0 : index
    const hasErrors = findingsOf(made, at).some(({ severity }) => severity === "error")
    if (hasErrors && checked?.content_hash !== made.content_hash) {
      setChecked(made)
      say("This text has an error. Press Send again to send it anyway.", "problem")
      return
    }
    decideOn(made.item, approval(made, at))
    forget()
    await refresh()
  }
  const findings = checked === undefined ? (own === undefined ? findingsOf(details, index) : []) : checked.findings
  return (
    <section class="composer stack" aria-label="Answer">
      <h3>{mailed ? `Answer from ${mailed.from}` : draft === null ? "Answer" : "Draft of an answer"}</h3>
      {details.follow_up !== null && draft !== null && <Prose class="quiet" text={followUpName(details.follow_up)} />}
      {own === undefined && <Variations texts={texts} index={index} details={details} />}
      {mailed !== undefined && (
        <input
          aria-label="Subject"
          dir="auto"
          maxLength={200}
          value={subject}
          onInput={({ currentTarget }) => setSubject(currentTarget.value)}
        />
      )}
      <textarea
        id="answer"
        class="text panel prose editor"
        aria-label={`Answer to ${item.lead?.name ?? "this person"}`}
        dir="auto"
        placeholder="Write an answer"
        value={text}
        readOnly={isBusy}
        onInput={({ currentTarget }) => change(currentTarget.value)}
        onKeyDown={textKeys(send, (field) => {
          if (own === undefined || !onceMore(id)) field.blur()
          else say("Not sent yet. Press Esc again to leave. Your text is kept here.")
        })}
      />
      <Findings findings={findings} text={text} />
      <div class="dialog-foot line">
        <button type="button" class="primary" disabled={isBusy} onClick={() => void send()}>
          {isBusy ? "Sending…" : "Send"} <kbd>{shownKey("mod+Enter")}</kbd>
        </button>
        {own !== undefined && (
          <button type="button" onClick={forget}>
            {draft === null ? "Discard" : "Back to the draft"}
          </button>
        )}
        {draft !== null && (
          <Link class="small" to={{ place: "review", item: draft.draft_id }}>
            Open in Review
          </Link>
        )}
        <Characters length={text.length} max={max_characters} />
      </div>
    </section>
  )
}

/** The answer that waits already, if any. */
const waitingOf = ({ details, details: { draft }, mailed, refresh }: ComposerProps) => {
  if (mailed !== undefined) {
    const { body_text: text = "", email_id: id = "", state } = mailed.last ?? {}
    if (state !== "in_review" && state !== "queued") return undefined
    const cancel = () => act("email.cancel", { email_id: id }, "Cancelled.").then(refresh)
    return {
      id,
      title: state === "queued" ? "Approved answer" : "Answer in review",
      text,
      act: ["Cancel", cancel] as const
    }
  }
  if (draft === null || draft.status === "PENDING_REVIEW") return undefined
  const { draft_id: id } = draft
  const reopen = () => act("linkedin.draft.reopen", { draft_id: id }, "Back in review.").then(refresh)
  return { id, title: "Approved answer", text: textsOf(details)[0] ?? "", act: ["Take back", reopen] as const }
}

/** The composer, what is approved already, or why nobody may answer. */
export const Composer = (props: ComposerProps) => {
  const waiting = waitingOf(props)
  if (waiting !== undefined) return <Waiting key={waiting.id} {...waiting} />
  const refusal = refusalOf(props)
  if (refusal === undefined) return <Answer key={props.details.item.item_id} {...props} />
  return (
    <p class="part-problem warning" role="status">
      {refusal}
    </p>
  )
}
