/** Webhooks: where events are sent, and what came of it. */
import { useMemo } from "preact/hooks"
import { confirm } from "../dialogs/Confirm.tsx"
import { askForm } from "../form/askForm.tsx"
import { type Field, line, linesOf, url } from "../form/values.ts"
import { Card } from "../list/Detail.tsx"
import { Entries, type EntryContent } from "../list/Entries.tsx"
import { listing, pageOf } from "../place/Listing.ts"
import { go, route } from "../place/route.ts"
import { dateAndTime } from "../queue/times.ts"
import { act } from "../service/act.ts"
import { mapOutcome } from "../service/outcome.ts"
import { run } from "../service/request.ts"
import type { InputOf, ResultOf } from "../service/shapes.ts"
import { askAmong, plainName, several } from "./choices.ts"
import { askReplace, showOnce } from "./secrets.tsx"

type Webhook = ResultOf<"webhook.list">["webhooks"][number]
type Delivery = ResultOf<"webhook.deliveries">["deliveries"][number]

const webhooks = listing<Webhook>(
  ({ webhook_id }) => webhook_id,
  /^webhook\./,
  async (_, page) => pageOf(await run("webhook.list", page), "webhooks")
)

const fields = (types: ReadonlyArray<string>): ReadonlyArray<Field> => [
  url("url", "URL", { required: true, hint: "Starts with https, and takes POST requests.", autofocus: true }),
  line("description", "What it is for", { maxLength: 200 }),
  several("event_types", "Events", types, "With none checked, all of them.")
]

/** Asks for a new webhook. */
export const askNewWebhook = askAmong("webhook.create", "event_types", (types) =>
  askForm({
    id: "new webhook",
    title: "New webhook",
    isWide: true,
    submit: "Create webhook",
    fields: fields(types),
    onSubmit: ({ description, event_types, url }, _, key) => {
      const chosen = linesOf(event_types) as NonNullable<InputOf<"webhook.create">["event_types"]>
      const input = { url: String(url).trim(), description: String(description), event_types: chosen }
      return run("webhook.create", input, { key })
    },
    onDone: ({ secret }) => {
      showOnce("Signing secret", secret)
      void webhooks.refresh()
    }
  })
)

const states: Readonly<Record<Delivery["state"], readonly [text: string, tone: string]>> = {
  pending: ["Waiting", ""],
  delivered: ["Delivered", ""],
  failed: ["Failed", "error"]
}

const Deliveries = ({ webhook_id }: Pick<Webhook, "webhook_id">) => {
  const list = useMemo(
    () =>
      listing<Delivery>(
        ({ delivery_id }) => delivery_id,
        /./,
        async (_, page) => pageOf(await run("webhook.deliveries", { webhook_id, ...page }), "deliveries")
      ),
    [webhook_id]
  )
  const redeliver = (delivery_id: string) =>
    void act("webhook.redeliver", { delivery_id }, "Queued: it is sent again in a moment.").then(list.refresh)
  const entryOf = (delivery: Delivery): EntryContent => ({
    name: plainName(delivery.event_type),
    signs: [states[delivery.state]],
    about: [
      dateAndTime(delivery.created_at),
      delivery.attempts === 1 ? "1 attempt" : `${delivery.attempts} attempts`,
      delivery.response_status !== null && `status ${delivery.response_status}`,
      delivery.last_error,
      delivery.next_attempt_at !== null && `next attempt ${dateAndTime(delivery.next_attempt_at)}`
    ],
    actions: [delivery.state !== "pending" && ["Send again", () => redeliver(delivery.delivery_id)]]
  })
  return <Entries label="Deliveries" list={list} empty="Nothing was sent in the last 30 days." entry={entryOf} />
}

const signOf = ({ disabled_reason, failing_since, is_active }: Webhook): readonly [text: string, tone: string] => {
  if (disabled_reason !== null) return ["Stopped", "error"]
  if (!is_active) return ["Paused", "warning"]
  return failing_since === null ? ["Active", ""] : ["Failing", "error"]
}

const askDelete = ({ url, webhook_id }: Webhook): void =>
  confirm({
    title: "Delete this webhook?",
    text: `Waiting deliveries to ${url} are dropped. You can't undo this.`,
    button: "Delete",
    onYes: () => void act("webhook.delete", { webhook_id }, "Deleted.").then(webhooks.refresh)
  })

const askRotate = ({ url, webhook_id }: Webhook): void =>
  askReplace(url, [], async (overlap_seconds, _, key) =>
    mapOutcome(await run("webhook.rotate-secret", { webhook_id, overlap_seconds }, { key }), ({ secret }) => secret)
  )

const entryOf = (webhook: Webhook): EntryContent => {
  const { description, disabled_reason, event_types, failing_since, is_active, url, webhook_id } = webhook
  const isOpen = route.value.query["webhook"] === webhook_id
  const turn = act.bind(undefined, "webhook.update", { webhook_id, is_active: !is_active })
  return {
    name: url,
    signs: [signOf(webhook)],
    about: [
      description,
      webhook.purpose === "email_reviews" && "decides on emails",
      event_types.length === 0 ? "all events" : event_types.map(plainName).join(", "),
      disabled_reason,
      failing_since !== null && `failing since ${dateAndTime(failing_since)}`
    ],
    actions: [
      [
        isOpen ? "Hide deliveries" : "Deliveries",
        () => go({ query: isOpen ? {} : { webhook: webhook_id } }, "replace")
      ],
      ["Send test", () => void act("webhook.test", { webhook_id }, "Test event queued. See its deliveries.")],
      [
        is_active ? "Pause" : "Resume",
        () => void turn(is_active ? "Paused. Events wait." : "Resumed.").then(webhooks.refresh)
      ],
      ["Replace secret…", () => askRotate(webhook)],
      ["Delete…", () => askDelete(webhook)]
    ],
    more: isOpen && <Deliveries webhook_id={webhook_id} />
  }
}

/** The section. */
export const Webhooks = () => (
  <Card title="Webhooks">
    <Entries label="Webhooks" list={webhooks} empty="No webhooks yet." entry={entryOf} />
  </Card>
)
