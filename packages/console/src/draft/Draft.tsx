/** The middle column: the item to decide on. */
import { useLayoutEffect, useRef } from "preact/hooks"
import { perform } from "../keys/actions.ts"
import { pressed } from "../keys/listen.ts"
import { viewers } from "../live/follow.ts"
import { actorName } from "../live/People.ts"
import { readItem } from "../queue/reading.ts"
import { dateAndTime } from "../queue/times.ts"
import { Icon } from "../screen/Icon.tsx"
import { current, editing, failures, opened, people, queue, shown, variation } from "../screen/state.ts"
import type { Details } from "../service/shapes.ts"
import { Actions, Departure, Findings, ProblemBox, Variations } from "./Actions.tsx"
import { Changed } from "./Changed.tsx"
import { Editor } from "./Editor.tsx"
import { readingTime } from "./guard.ts"
import { Origin } from "./Origin.tsx"
import { requestFacts } from "./origin.ts"
import { findingsOf, isReviewable, nounOf, textsOf } from "./Reading.ts"
import { useSwipes } from "./swipes.ts"
import { Text } from "./Text.tsx"

/** Notes since when exactly this text is on the screen: after the browser painted it. */
const useShown = (details: Details, index: number): void => {
  const { content_hash: contentHash, item } = details
  useLayoutEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame((at) => {
        shown.value = { itemId: item.item_id, contentHash, variation: index, at: Math.max(at, performance.now()) }
        timer = setTimeout(() => {
          opened.value = new Set(opened.value).add(item.item_id)
        }, readingTime)
      })
    })
    return () => {
      cancelAnimationFrame(frame)
      clearTimeout(timer)
      shown.value = undefined
    }
  }, [item.item_id, contentHash, index])
}

const Head = ({ details }: { readonly details: Details }) => {
  const { agent, kind, lead, mission, preview } = details.item
  const from = agent === null ? "" : `from ${agent.name}`
  const request = details.approval?.request
  return (
    <header class="draft-head">
      <button type="button" class="plain only-narrow" onClick={() => perform("back", pressed())}>
        <Icon name="back" />
        <span class="hidden">Back to the queue</span>
      </button>
      <div>
        <h2>{lead?.name ?? (request === undefined ? nounOf(kind) : preview)}</h2>
        <p class="quiet">
          {request === undefined
            ? [kind === "message" ? "LinkedIn message" : nounOf(kind), from, mission?.name].filter(Boolean).join(" · ")
            : requestFacts(request, people.value, dateAndTime).join(" · ")}
        </p>
      </div>
      {viewers.value.length > 0 && (
        <span class="viewers" role="status">
          <Icon name="eye" />
          {viewers.value.map(({ name }) => name).join(", ")} {viewers.value.length === 1 ? "is" : "are"} here
        </span>
      )}
      {lead !== null && (
        <button type="button" class="to-lead" onClick={() => perform("lead", pressed())}>
          Lead <kbd>I</kbd>
        </button>
      )}
    </header>
  )
}

const Review = ({ details }: { readonly details: Details }) => {
  const { flag_note, flagged, rejection, rewrite } = details.review
  return (
    <>
      {flagged && (
        <p class="note">
          <Icon name="flag" /> Flagged{flag_note === null ? "" : `: ${flag_note}`}
        </p>
      )}
      {rejection !== null && (
        <p class="note">
          Rejected by {actorName(people.value, "USER", rejection.by)}: {rejection.reason}
        </p>
      )}
      {rewrite !== null && (
        <p class="note">
          {actorName(people.value, "USER", rewrite.by)} asked for a rewrite: {rewrite.instructions}
        </p>
      )}
    </>
  )
}

const Loaded = ({ details }: { readonly details: Details }) => {
  const box = useRef<HTMLDivElement>(null)
  const texts = textsOf(details)
  const index = Math.min(variation.value, texts.length - 1)
  const text = texts[index] ?? ""
  const findings = findingsOf(details, index)
  const isEditing = editing.value?.itemId === details.item.item_id
  useShown(details, index)
  useSwipes(box, () => isReviewable(details) && !isEditing)
  return (
    <>
      <Head details={details} />
      <div class="draft-body" ref={box}>
        <ProblemBox details={details} />
        <Changed details={details} index={index} />
        <Review details={details} />
        <Departure departure={details.departure} />
        <Findings findings={findings} text={text} />
        <Variations texts={texts} index={index} details={details} />
        {details.subject !== null && (
          <p class="subject">
            <span class="quiet">Subject</span> {details.subject}
          </p>
        )}
        {isEditing ? (
          <Editor text={text} max={details.max_characters} />
        ) : (
          <Text
            text={text}
            findings={findings}
            max={details.max_characters}
            isMessage={details.item.kind !== "approval"}
          />
        )}
        <Origin details={details} index={index} />
      </div>
      <Actions details={details} />
    </>
  )
}

const Unread = () => {
  const { selected, state } = queue.value
  const problem = failures.value.get(selected ?? "")
  if (problem !== undefined && selected !== undefined) {
    return (
      <div class="empty">
        <p>{problem}</p>
        <button type="button" onClick={() => void readItem(selected)}>
          Try again
        </button>
      </div>
    )
  }
  if (selected === undefined)
    return <div class="empty">{state === "ready" ? <p class="quiet">Nothing selected.</p> : null}</div>
  return (
    <div class="draft-skeleton" role="status">
      <span class="hidden">Loading the item…</span>
    </div>
  )
}

/** See above. */
export const Draft = () => {
  const details = current.value
  return (
    <section class="draft" aria-label="Item">
      {details === undefined ? <Unread /> : <Loaded details={details} key={details.item.item_id} />}
    </section>
  )
}
