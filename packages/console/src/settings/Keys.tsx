/** API keys, and who is signed in with them. */
import { signal } from "@preact/signals"
import { confirm } from "../dialogs/Confirm.tsx"
import { askForm } from "../form/askForm.tsx"
import { check, choice, type Field, line, linesOf, type Values } from "../form/values.ts"
import { perform, pressed } from "../keys/actions.ts"
import { Card } from "../list/Detail.tsx"
import { Entries, type EntryContent } from "../list/Entries.tsx"
import { actorName } from "../live/People.ts"
import { listing, pageOf } from "../place/Listing.ts"
import { go, route } from "../place/route.ts"
import { dateAndTime } from "../queue/times.ts"
import { people } from "../screen/state.ts"
import { act } from "../service/act.ts"
import { mapOutcome } from "../service/outcome.ts"
import { request, run } from "../service/request.ts"
import type { InputOf, ResultOf } from "../service/shapes.ts"
import { askAmong, plainName, several } from "./choices.ts"
import { askReplace, showOnce } from "./secrets.tsx"

type Key = ResultOf<"key.list">["keys"][number]

/** The id of this browser's session; empty where a host signs people in. */
const own = signal("")

const keys = listing<Key>(
  ({ key_id }) => key_id,
  /^(key|grant)\./,
  async (_, page) => {
    const me = await request<{ key_id: string | null }>("GET", "/api/v1/me")
    if (me.ok) own.value = me.data.key_id ?? ""
    return pageOf(await run("key.list", page), "keys")
  }
)

// A session hands out no secrets, so that nobody does at a browser that was left open.
const ownKeyFields = (): ReadonlyArray<Field> => {
  const hint = "Confirms that it is you. It isn't stored. Without one, ask the operator to run svc keys create."
  const field = { name: "api_key", label: "Your own API key", kind: "password", required: true, hint } as const
  return own.value === "" ? [] : [field]
}

const credential = ({ api_key }: Values) => ({ apiKey: api_key === undefined ? undefined : String(api_key).trim() })

const fields = (scopes: ReadonlyArray<string>): ReadonlyArray<Field> => [
  line("name", "What it is for", { required: true, maxLength: 200, autofocus: true }),
  choice("actor_kind", "Who uses it", { USER: "A person, or a program of theirs", AI_AGENT: "An AI agent" }),
  line("user_id", "Whose it is", { maxLength: 100, hint: "Empty for yours. A colleague's: their id, or a new one." }),
  check("is_draft_only", "Never approves or sends, whatever its rights"),
  several(
    "scopes",
    "Rights",
    scopes,
    "With none checked, a person gets all of yours, and an AI agent those for drafting."
  ),
  { name: "expires", label: "Expires at the end of", kind: "date", hint: "Empty: with your own key." },
  ...ownKeyFields()
]

const inputOf = ({ actor_kind, expires, is_draft_only, name, scopes, user_id }: Values): InputOf<"key.create"> => {
  const chosen = linesOf(scopes) as NonNullable<InputOf<"key.create">["scopes"]>
  return {
    name: String(name),
    actor_kind: actor_kind === "AI_AGENT" ? "AI_AGENT" : "USER",
    mode: is_draft_only === true ? "draft_only" : "full",
    user_id: String(user_id).trim(),
    ...(chosen.length === 0 ? {} : { scopes: chosen }),
    ...(expires === "" ? {} : { expires_at: new Date(`${expires}T23:59:59`).toISOString() })
  }
}

/** Asks what a new key is for, and what it may do. */
export const askNewKey = askAmong("key.create", "scopes", (scopes) =>
  askForm({
    id: "new API key",
    title: "New API key",
    isWide: true,
    submit: "Create key",
    fields: fields(scopes),
    values: { actor_kind: "USER" },
    onSubmit: (values, _, key) => run("key.create", inputOf(values), { key, ...credential(values) }),
    onDone: ({ api_key, key }) => {
      showOnce(`API key ${key.name}`, api_key)
      void keys.refresh()
    }
  })
)

const askRotate = ({ key_id, name }: Key): void =>
  askReplace(`API key ${name}`, ownKeyFields(), async (overlap_seconds, values, key) =>
    mapOutcome(
      await run("key.rotate", { key_id, overlap_seconds }, { key, ...credential(values) }),
      ({ api_key }) => api_key
    )
  )

const consequences: Readonly<Record<Key["use"], string>> = {
  key: "What uses it stops working at once, and its sessions end. You can't undo this.",
  session: "That browser shows the sign-in at once. What was typed there is kept.",
  link: "The link no longer signs anybody in.",
  code: "The AI agent is not signed in.",
  token: "The AI agent can't do anything here until a person signs it in again."
}

const askRevoke = ({ key_id, name, use }: Key): void =>
  confirm({
    title: use === "session" ? `End the session of ${name}?` : `Revoke ${name}?`,
    text: consequences[use],
    button: use === "session" ? "End session" : "Revoke",
    onYes: () => void act("key.revoke", { key_id }, "Revoked.").then(keys.refresh)
  })

const endOf = ({ expires_at, revoked_at }: Key): string => {
  if (revoked_at !== null) return "Revoked"
  return expires_at !== null && Date.parse(expires_at) < Date.now() ? "Expired" : ""
}

const usesOf = ({ created_at, expires_at, last_used_at }: Key) => [
  last_used_at === null ? "never used" : `last used ${dateAndTime(last_used_at)}`,
  `created ${dateAndTime(created_at)}`,
  expires_at === null ? "doesn't expire" : `valid until ${dateAndTime(expires_at)}`
]

const entryOf = (key: Key): EntryContent => {
  const { actor_kind, mode, name, scopes, user_id } = key
  const end = endOf(key)
  const person = actorName(people.value, "USER", user_id)
  return {
    name,
    signs: [
      [actor_kind === "USER" ? "Person" : "AI agent"],
      mode === "draft_only" && ["Drafts only"],
      end !== "" && [end, "error"]
    ],
    about: [person !== name && `of ${person}`, scopes.includes("admin") && "all rights", ...usesOf(key)],
    actions:
      end === ""
        ? [
            ["Replace secret…", () => askRotate(key)],
            ["Revoke…", () => askRevoke(key)]
          ]
        : [],
    more: !scopes.includes("admin") && (
      <details>
        <summary>{scopes.length === 1 ? "1 right" : `${scopes.length} rights`}</summary>
        {scopes.map(plainName).join(", ")}
      </details>
    )
  }
}

/** The section with the keys. */
export const Keys = () => {
  const isAll = route.value.query["ended"] === "too"
  const turn = () => go({ query: isAll ? {} : { ended: "too" } }, "replace")
  return (
    <Card title="API keys">
      <label class="check">
        <input type="checkbox" checked={isAll} onChange={turn} /> Also revoked and expired ones
      </label>
      <Entries
        label="API keys"
        list={keys}
        empty="No API keys yet."
        entry={(key) => (key.use === "key" && (isAll || endOf(key) === "") ? entryOf(key) : undefined)}
      />
    </Card>
  )
}

const uses = { key: "", session: "Browser", link: "Unused link", code: "AI agent, signing in", token: "AI agent" }

const sessionOf = (key: Key): EntryContent => ({
  name: key.name,
  signs: [[uses[key.use]], key.key_id === own.value && ["This browser", "flagged"]],
  about: usesOf(key),
  actions: [
    key.key_id === own.value
      ? ["Sign out here", () => perform("signOut", pressed())]
      : [key.use === "session" ? "End session…" : "Revoke…", () => askRevoke(key)]
  ]
})

/** The section with the sessions. */
export const Sessions = () => (
  <Card title="Signed in now">
    <Entries
      label="Sessions"
      list={keys}
      empty="Nobody is signed in."
      entry={(key) => (key.use !== "key" && endOf(key) === "" ? sessionOf(key) : undefined)}
    />
  </Card>
)
