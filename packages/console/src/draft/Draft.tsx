/** The middle column: the item to decide on. */

import type { RefObject } from "preact"
import { useEffect, useLayoutEffect, useRef } from "preact/hooks"
import { perform, pressed } from "../keys/actions.ts"
import { Detail } from "../list/Detail.tsx"
import { Loading } from "../list/ListDetail.tsx"
import { viewers } from "../live/follow.ts"
import { actorName } from "../live/People.ts"
import { readItem } from "../queue/reading.ts"
import { dateAndTime } from "../queue/times.ts"
import { Icon } from "../screen/Icon.tsx"
import { Nothing } from "../screen/Nothing.tsx"
import { details, editing, failures, opened, people, shown, variation } from "../screen/state.ts"
import type { Details } from "../service/shapes.ts"
import { Name, Prose } from "../text/Prose.tsx"
import { Actions, Departure, Findings, ProblemBox, Variations } from "./Actions.tsx"
import { Changed } from "./Changed.tsx"
import { discardText, Editor, startEdit, unsavedText } from "./Editor.tsx"
import { readingTime } from "./guard.ts"
import { Origin } from "./Origin.tsx"
import { followUpName, requestFacts } from "./origin.ts"
import { findingsOf, isReviewable, nounOf, textsOf } from "./Reading.ts"
import { Text } from "./Text.tsx"

/** How far a finger moves at least, in pixels. */
const needed = 96

/** Swipes on a phone: to the right approves, to the left rejects. One counts when the finger began on a text that may be decided on. */
const useSwipes = (box: RefObject<HTMLElement | null>, isAllowed: () => boolean): void =>
  useEffect(() => {
    const element = box.current
    if (element === null) return
    let start: { readonly x: number; readonly y: number } | undefined
    const begin = (event: TouchEvent) => {
      const [touch] = event.touches
      start =
        touch === undefined || event.touches.length > 1 || !isAllowed()
          ? undefined
          : { x: touch.clientX, y: touch.clientY }
    }
    const end = (event: TouchEvent) => {
      const [touch] = event.changedTouches
      if (start === undefined || touch === undefined) return
      const [x, y] = [touch.clientX - start.x, touch.clientY - start.y]
      start = undefined
      if (Math.abs(x) < needed || Math.abs(y) > Math.abs(x) / 2) return
      perform(x > 0 ? "approve" : "reject", { at: event.timeStamp, isRepeat: false })
    }
    element.addEventListener("touchstart", begin, { passive: true })
    element.addEventListener("touchend", end)
    return () => {
      element.removeEventListener("touchstart", begin)
      element.removeEventListener("touchend", end)
    }
  })

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

/** What it is, from whom, and for which mission. */
const aboutOf = ({ approval, email, item: { agent, kind, mission } }: Details): string => {
  if (approval !== null) return requestFacts(approval.request, people.value, dateAndTime).join(" · ")
  const mailbox = email === null ? "" : `, ${email.from}`
  const from = agent === null ? "" : `from ${agent.name}${mailbox}`
  return [kind === "message" ? "LinkedIn message" : nounOf(kind), from, mission?.name].filter(Boolean).join(" · ")
}

const Beside = ({ lead }: Pick<Details["item"], "lead">) => (
  <>
    {viewers.value.length > 0 && (
      <span class="viewers sign warning" role="status">
        <Icon name="eye" />
        {viewers.value.map(({ name }) => name).join(", ")} {viewers.value.length === 1 ? "is" : "are"} here
      </span>
    )}
    {lead !== null && (
      <button type="button" class="to-lead" onClick={() => perform("lead", pressed())}>
        Lead <kbd>I</kbd>
      </button>
    )}
  </>
)

const Review = ({ details }: { readonly details: Details }) => {
  const { flag_note, flagged, rejection, rewrite } = details.review
  const nameOf = (user: string) => actorName(people.value, "USER", user)
  const lines = [
    details.follow_up !== null && followUpName(details.follow_up),
    flagged && `Flagged${flag_note === null ? "" : `: ${flag_note}`}`,
    rejection !== null && `Rejected by ${nameOf(rejection.by)}: ${rejection.reason}`,
    rewrite !== null && `${nameOf(rewrite.by)} asked for a rewrite: ${rewrite.instructions}`
  ]
  return lines.map((line) => line !== false && <Prose key={line} class="small quiet" text={line} />)
}

const Loaded = ({ details }: { readonly details: Details }) => {
  const box = useRef<HTMLDivElement>(null)
  const { kind, lead, preview } = details.item
  const texts = textsOf(details)
  const index = Math.min(variation.value, texts.length - 1)
  const text = texts[index] ?? ""
  const findings = findingsOf(details, index)
  const isEditing = editing.value?.itemId === details.item.item_id
  useShown(details, index)
  useSwipes(box, () => isReviewable(details) && !isEditing)
  return (
    <Detail
      title={lead?.name ?? (details.approval === null ? nounOf(kind) : preview)}
      about={aboutOf(details)}
      beside={<Beside lead={lead} />}
      from="the queue"
      actions={<Actions details={details} />}
      box={box}
    >
      <ProblemBox details={details} />
      <Changed details={details} index={index} />
      <Review details={details} />
      <Departure departure={details.departure} />
      <Findings findings={findings} text={text} />
      <Variations texts={texts} index={index} details={details} />
      {!isEditing && isReviewable(details) && unsavedText(details, index) !== undefined && (
        <p class="line small warning part-problem" role="status">
          You typed a text and did not save it.
          <button type="button" onClick={startEdit}>
            Go on editing <kbd>E</kbd>
          </button>
          <button type="button" onClick={() => discardText(details, index)}>
            Discard
          </button>
        </p>
      )}
      {details.subject !== null && !isEditing && (
        <p class="subject">
          <span class="quiet">Subject</span> <Name>{details.subject}</Name>
        </p>
      )}
      {isEditing ? (
        <Editor details={details} text={text} index={index} />
      ) : (
        <Text
          text={text}
          findings={findings}
          max={details.max_characters}
          isMessage={details.item.kind !== "approval"}
        />
      )}
      <Origin details={details} index={index} />
    </Detail>
  )
}

/** The item, or why it can't be shown. */
export const Draft = ({ id }: { readonly id: string }) => {
  const found = details.value.get(id)
  const problem = failures.value.get(id)
  if (found !== undefined) return <Loaded details={found} />
  if (problem === undefined) return <Loading />
  return <Nothing text={problem} help="Try again" onHelp={() => void readItem(id)} />
}
