/** The place Replies: who wrote, the conversation, and the answer. */
import { useSignal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { usePlaceKeys } from "../keys/usePlaceKeys.ts"
import { LeadColumn, Thread } from "../lead/Lead.tsx"
import { type LeadStatus, statusText } from "../lead/statuses.ts"
import { Acts } from "../list/Acts.tsx"
import { Detail, Read, useReading } from "../list/Detail.tsx"
import { ListDetail } from "../list/ListDetail.tsx"
import { listing } from "../place/Listing.ts"
import { go, route } from "../place/route.ts"
import { When } from "../queue/QueueRow.tsx"
import { dateAndTime } from "../queue/times.ts"
import { totals } from "../screen/state.ts"
import { run } from "../service/request.ts"
import type { Details, InputOf, Item } from "../service/shapes.ts"
import { Name } from "../text/Prose.tsx"
import { askWriter, setStatus, snooze, write } from "./acting.ts"
import { Composer } from "./Composer.tsx"
import { type Mailed, readMailed, withMails } from "./mailed.ts"

type ReplyState = NonNullable<InputOf<"review.list">["reply"]>

const tabs = [
  ["waiting", "Open"],
  ["answered", "Answered"],
  ["snoozed", "Not now"],
  ["closed", "Closed"]
] as const satisfies ReadonlyArray<readonly [ReplyState, string]>

const stateOf = (state: string | undefined): ReplyState => tabs.find(([one]) => one === state)?.[0] ?? "waiting"

const replies = listing(
  ({ item_id }: Item) => item_id,
  /^(reply|message|lead|draft|conversation|linkedin|email)\b/,
  ({ mission_id, query, state }, page) =>
    run("review.list", {
      tab: "replies",
      reply: stateOf(state),
      ...(query === undefined ? {} : { query }),
      ...(mission_id === undefined ? {} : { mission_id }),
      ...page
    })
)

const empty = {
  waiting: "No open replies. Everyone has an answer.",
  answered: "No answered replies in the last 30 days.",
  snoozed: "Nothing is put aside.",
  closed: "Nobody declined in the last 30 days."
}

interface ConversationProps {
  readonly details: Details
  readonly refresh: () => Promise<void>
}

type ByEmailProps = Pick<ConversationProps, "details"> & { readonly children: (mailed: Mailed) => ComponentChildren }

const ByEmail = ({ children, details }: ByEmailProps) => (
  <Read {...useReading(() => readMailed(details), /^$/, details)}>{children}</Read>
)

const answers: ReadonlyArray<LeadStatus> = ["Interested", "MeetingBooked", "NotInterested", "DoNotContact"]

const Conversation = ({ details, refresh }: ConversationProps) => {
  const { item, lead, thread } = details
  usePlaceKeys([{ keys: ["r"], text: "Write the answer", run: write }])
  const conversation = (mailed?: Mailed) => (
    <>
      <Thread thread={mailed === undefined ? thread : withMails(thread, mailed.mails)} />
      {lead?.draft_request != null && details.draft === null && (
        <p class="small quiet">
          Asked the writer for a draft: <Name>{lead.draft_request.instructions}</Name>
        </p>
      )}
      <Composer details={details} mailed={mailed} refresh={refresh} />
    </>
  )
  return (
    <Detail
      title={item.lead?.name ?? ""}
      about={
        <>
          <Name>{[item.lead?.job_title, item.lead?.company_name].filter(Boolean).join(", ")}</Name>
          {lead !== null && <> · {statusText(lead.status)}</>}
          {item.snoozed_until !== null && <> · Not now, until {dateAndTime(item.snoozed_until)}</>}
        </>
      }
      from="replies"
      actions={
        <Acts
          acts={[
            { text: "Not now", key: "h", run: () => snooze(details, refresh) },
            { text: "Ask the writer", key: "w", run: () => askWriter(details, refresh) },
            ...(lead === null
              ? []
              : answers.map((status) => ({
                  text: statusText(status),
                  isPressed: lead.status === status,
                  run: () => setStatus(lead, status, refresh)
                })))
          ]}
        />
      }
    >
      {thread.at(-1)?.channel === "EMAIL" ? (
        <ByEmail key={item.item_id} details={details}>
          {conversation}
        </ByEmail>
      ) : (
        conversation()
      )}
    </Detail>
  )
}

const Open = ({ id, onRead }: { readonly id: string; readonly onRead: (details: Details) => void }) => {
  const { reading, refresh } = useReading(async () => {
    const outcome = await run("review.get", { item_id: id })
    if (outcome.ok) onRead(outcome.data)
    return outcome
  }, replies.events)
  return (
    <Read reading={reading} refresh={refresh}>
      {(details) => <Conversation details={details} refresh={refresh} />}
    </Read>
  )
}

/** The place. */
export const Replies = () => {
  const state = stateOf(route.value.query["state"])
  const shown = useSignal<Details | undefined>(undefined)
  const details = shown.value?.item.item_id === route.value.item ? shown.value : undefined
  return (
    <ListDetail
      label="Replies"
      list={replies}
      empty={empty[state]}
      tabs={{
        names: tabs.map(([name, text]) => [name, text, name === "waiting" ? totals.value?.replies_waiting : undefined]),
        selected: state,
        onSelect: (name) => go({ item: undefined, query: name === "waiting" ? {} : { state: name } })
      }}
      row={(item) => ({
        name: item.lead?.name ?? "Unknown",
        company: item.lead?.company_name,
        preview: item.preview,
        when: <When item={item} />
      })}
      detail={(id) => (
        <Open
          id={id}
          onRead={(read) => {
            shown.value = read
          }}
        />
      )}
      side={<LeadColumn details={details} hasThread={false} />}
    />
  )
}
