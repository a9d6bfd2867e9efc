/** What two callers can do to one thing at the same time, and how to see what became of it. */
import { type Reply, textAt } from "../support/httpService.ts"
import { fieldOf, formText, pkce, redirectUri, sameOrigin } from "../support/oauthService.ts"
import { dataAt, type Two } from "./twoServices.ts"

/** Names of one round: what was made for it, and a text that nothing else has. */
export type Subject = Readonly<Record<string, string>> & { readonly slug: string }

/** A call on one of the services. */
export type Act = (two: Two, which: 0 | 1, subject: Subject) => Promise<Reply>

/** A thing with everything that changes it. */
export interface Scene {
  readonly prepare: (two: Two, slug: string) => Promise<Subject>
  readonly acts: Readonly<Record<string, Act>>
  /** Acts that commit more than once. */
  readonly steps: ReadonlyArray<string>
  /** Those of them that join one another, and succeed both. */
  readonly joins?: ReadonlyArray<string>
  /** What to read of it afterwards. */
  readonly look: ReadonlyArray<readonly [command: string, input: (subject: Subject) => object]>
}

type Person = keyof Two["people"]

/** A command by a person with an input made of names of the round. */
const act =
  (command: string, input: (subject: Subject) => object, person: Person = "owner"): Act =>
  (two, which, subject) =>
    two.run(which, command, input(subject), { key: two.people[person] })

/** The worker's round, which has no answer. */
const dispatch: Act = async (two, which) => {
  await two.dispatch(which)
  return { status: 200, headers: new Headers(), text: "", body: {} }
}

const withDraft = ({ draft_id = "" }: Subject) => ({ draft_id })
const withLead = ({ lead_id = "" }: Subject) => ({ lead_id })

const personOf = (slug: string) => ({ name: slug, linkedin_url: `https://www.linkedin.com/in/${slug}` })

const leadFor = async (two: Two, slug: string, more: object = {}): Promise<string> =>
  dataAt(await two.run(0, "lead.upsert", { ...personOf(slug), ...more }), "lead_id")

const ada = { agent_handle: "ada-martin" }

const draftFor = async (two: Two, slug: string): Promise<Subject> => {
  const lead_id = await leadFor(two, slug)
  const made = await two.run(0, "linkedin.draft.create", { lead_id, ...ada, variations: ["One", "Two"] })
  return { slug, lead_id, draft_id: dataAt(made, "draft.draft_id") }
}

const queuedFor = async (two: Two, slug: string): Promise<Subject> => {
  const subject = await draftFor(two, slug)
  await two.run(0, "linkedin.draft.approve", { ...withDraft(subject), variation_index: 0 })
  return { ...subject, queue_id: dataAt(await two.run(0, "linkedin.queue.list", {}), "items.0.queue_id") }
}

const onLead: Readonly<Record<string, Act>> = {
  dispatch,
  reply: act("lead.message.record", (subject) => ({
    ...withLead(subject),
    channel: "LINKEDIN",
    direction: "inbound",
    content: "Hi",
    external_id: subject.slug
  })),
  putAside: act("linkedin.conversation.snooze", (subject) => ({ ...withLead(subject), until: null })),
  askForDraft: act("linkedin.conversation.request-draft", (subject) => ({
    ...withLead(subject),
    instructions: "Thank"
  })),
  decline: act("lead.status.set", (subject) => ({ ...withLead(subject), status: "NotInterested", reason: "Said so" })),
  suppress: act("lead.suppress", ({ slug }) => ({ linkedin_url: personOf(slug).linkedin_url, reason: "Asked" })),
  erase: act("lead.erase", ({ lead_id = "" }) => ({ lead_id, confirm: lead_id, reason: "Asked" })),
  strip: act("lead.identifier.remove", ({ lead_id, slug }) => ({
    lead_id,
    linkedin_url: personOf(slug).linkedin_url
  }))
}

const onDraft: Readonly<Record<string, Act>> = {
  approve: act("linkedin.draft.approve", (subject) => ({ ...withDraft(subject), variation_index: 0 })),
  send: act("linkedin.draft.approve", (subject) => ({ ...withDraft(subject), variation_index: 1, send_now: true })),
  approveMany: act("linkedin.draft.approve-many", (subject) => ({
    items: [{ ...withDraft(subject), variation_index: 0 }]
  })),
  update: act("linkedin.draft.update", (subject) => ({ ...withDraft(subject), variations: ["Three"] })),
  rewrite: act("linkedin.draft.request-rewrite", (subject) => ({ ...withDraft(subject), instructions: "Shorter" })),
  snooze: act("linkedin.draft.snooze", (subject) => ({ ...withDraft(subject), until: null })),
  flag: act("linkedin.draft.flag", (subject) => ({ ...withDraft(subject), flagged: true })),
  reject: act("linkedin.draft.reject", (subject) => ({ ...withDraft(subject), reason: "No" })),
  cancel: act("linkedin.draft.cancel", withDraft),
  reopen: act("linkedin.draft.reopen", withDraft),
  replace: act("linkedin.draft.create", (subject) => ({
    ...withLead(subject),
    ...ada,
    replace_open: true,
    variations: ["Four"]
  })),
  createMany: act("linkedin.draft.create-many", (subject) => ({
    drafts: [{ ...withLead(subject), ...ada, replace_open: true, variations: ["Five"] }]
  })),
  ...onLead
}

const draftLook: Scene["look"] = [
  ["linkedin.draft.get", withDraft],
  ["linkedin.draft.list", withLead],
  ["linkedin.conversation.get", withLead],
  ["linkedin.queue.list", () => ({})]
]

/** The fields of a code that a person has just allowed. */
const codeFor = async (two: Two, clientId: string): Promise<Readonly<Record<string, string>>> => {
  const { challenge, verifier } = pkce()
  const path = `/oauth/authorize?${formText({
    response_type: "code",
    client_id: clientId,
    redirect_uri: redirectUri,
    code_challenge: challenge,
    code_challenge_method: "S256"
  })}`
  const form = { "content-type": "application/x-www-form-urlencoded", ...sameOrigin }
  const body = formText({ action: "sign_in", api_key: two.people.owner })
  const signedIn = await two.ask(0, "POST", path, { key: null, body, headers: form })
  const cookie = (signedIn.headers.get("set-cookie") ?? "").split(";")[0] ?? ""
  const page = await two.ask(0, "GET", path, { key: null, headers: { cookie } })
  const allow = formText({ ticket: fieldOf(page.text, "ticket"), action: "allow", scope: "leads:read" })
  const allowed = await two.ask(0, "POST", path, { key: null, body: allow, headers: { ...form, cookie } })
  const code = new URL(allowed.headers.get("location") ?? "").searchParams.get("code") ?? ""
  return { client_id: clientId, redirect_uri: redirectUri, code, code_verifier: verifier }
}

const postForm = (two: Two, which: 0 | 1, path: string, fields: Readonly<Record<string, string>>) =>
  two.ask(which, "POST", path, {
    key: null,
    body: formText(fields),
    headers: { "content-type": "application/x-www-form-urlencoded" }
  })

/** A form of a client with fields of the round. */
const form =
  (path: string, fields: (subject: Subject) => Readonly<Record<string, string>>): Act =>
  (two, which, subject) =>
    postForm(two, which, path, fields(subject))

const withMission = ({ slug }: Subject) => ({ mission_id: slug })
const withImport = ({ import_id = "" }: Subject) => ({ import_id })
const withRequest = ({ approval_request_id = "" }: Subject) => ({ approval_request_id })
const withInvited = ({ lead_id = "" }: Subject) => ({ lead_id, ...ada })

const resolve = (decision: "approve" | "reject", person: Person) =>
  act("approval.resolve", (subject) => ({ ...withRequest(subject), decision }), person)

const held = act("lead.note.add", ({ lead_id, slug }) => ({ lead_id, text: `Note of ${slug}` }), "agent")

const search = (slug: string) =>
  `https://www.linkedin.com/search/results/people/?keywords=${slug}%20sim-30&network=%5B%22S%22%5D`

const session = (credential: (subject: Subject) => object): Act => {
  return (two, which, subject) => two.ask(which, "POST", "/review/session", { key: null, json: credential(subject) })
}

const asSession = (method: string): Act => {
  return (two, which, { cookie = "" }) =>
    two.ask(which, method, "/review/session", { key: null, headers: { cookie, ...sameOrigin, "svc-session": "1" } })
}

/** Every thing that several commands change. */
export const scenes: Readonly<Record<string, Scene>> = {
  draft: { prepare: draftFor, acts: onDraft, steps: ["send", "dispatch"], look: draftLook },
  queued: {
    prepare: queuedFor,
    acts: {
      ...onDraft,
      unqueue: act("linkedin.queue.cancel", ({ queue_id }) => ({ queue_id })),
      settle: act("linkedin.queue.resolve", ({ queue_id }) => ({ queue_id, outcome: "not_sent" }))
    },
    steps: ["send", "dispatch"],
    look: draftLook
  },
  invitation: {
    prepare: async (two, slug) => ({ slug, lead_id: await leadFor(two, `${slug}-2nd`) }),
    acts: {
      ...onLead,
      invite: act("linkedin.invitation.send", withInvited),
      withdraw: act("linkedin.invitation.withdraw", withLead),
      sync: act("linkedin.conversation.sync", withInvited),
      draft: act("linkedin.draft.create", (subject) => ({ ...withLead(subject), ...ada, variations: ["One"] }))
    },
    steps: ["invite", "withdraw", "sync", "dispatch"],
    look: [
      ["lead.get", withLead],
      ["linkedin.queue.list", () => ({})]
    ]
  },
  email: {
    prepare: async (two, slug) => {
      const lead_id = await leadFor(two, slug, { email: `${slug}@lead.example` })
      const letter = { lead_id, mission_id: "letters", subject: "Hello", body_text: "Hello" }
      const sent = await two.run(0, "email.send", letter)
      const shown = await two.run(0, "email.review.list", { limit: 1 })
      return {
        slug,
        lead_id,
        email_id: dataAt(sent, "email.email_id"),
        content_hash: dataAt(shown, "reviews.0.content_hash")
      }
    },
    acts: {
      ...onLead,
      approve: act("email.review.decide", ({ content_hash, email_id }) => ({
        review_id: email_id,
        decision: "approve",
        content_hash
      })),
      reject: act("email.review.decide", ({ content_hash, email_id }) => ({
        review_id: email_id,
        decision: "reject",
        content_hash
      })),
      cancel: act("email.cancel", ({ email_id }) => ({ email_id })),
      resolve: act("email.resolve", ({ email_id }) => ({ email_id, outcome: "not_sent" }))
    },
    steps: ["dispatch"],
    look: [["email.list", withLead]]
  },
  approval: {
    prepare: async (two, slug) => {
      const subject = { slug, lead_id: await leadFor(two, slug) }
      const { body } = await held(two, 0, subject)
      return { ...subject, approval_request_id: textAt(body, "meta.approval_request_id") }
    },
    acts: {
      approve: resolve("approve", "owner"),
      approveToo: resolve("approve", "second"),
      reject: resolve("reject", "owner"),
      withdraw: resolve("reject", "agent"),
      again: held
    },
    steps: ["approve", "approveToo"],
    joins: ["approve", "approveToo"],
    look: [
      ["approval.get", withRequest],
      ["lead.timeline", withLead]
    ]
  },
  import: {
    prepare: async (two, slug) => {
      await two.run(0, "mission.create", { name: slug, handle: slug, agent_handle: "ada-martin" })
      const found = await two.run(0, "import.linkedin.search", { url: search(slug), mission_handle: slug, limit: 10 })
      return { slug, import_id: dataAt(found, "import_id") }
    },
    acts: {
      pause: act("import.pause", withImport),
      resume: act("import.resume", withImport),
      cancel: act("import.cancel", withImport),
      undo: act("import.undo", withImport),
      again: act("import.linkedin.search", ({ slug }) => ({ url: search(slug), mission_handle: slug, limit: 20 })),
      add: act("import.leads.add", ({ slug }) => ({
        mission_id: slug,
        leads: [1, 2, 3].map((n) => personOf(`${slug}-${n}`))
      })),
      end: act("mission.complete", withMission),
      delete: act("mission.delete", withMission)
    },
    steps: ["resume", "undo", "again", "add"],
    look: [
      ["import.get", withImport],
      ["lead.search", withMission]
    ]
  },
  mission: {
    prepare: async (two, slug) => {
      await two.run(0, "offer.create", { offer_id: slug, name: slug, one_liner: "One", value_proposition: "Worth it" })
      await two.run(0, "agent.create", { first_name: "An", last_name: "Agent", handle: slug })
      const links = { agent_handle: slug, offer_id: slug }
      await two.run(0, "mission.create", { name: slug, handle: slug, ...links })
      const lead_id = await leadFor(two, slug, { mission_id: slug })
      const draft = { lead_id, agent_handle: slug, mission_id: slug, variations: ["One"] }
      const made = await two.run(0, "linkedin.draft.create", draft)
      return { slug, lead_id, draft_id: dataAt(made, "draft.draft_id") }
    },
    acts: {
      dispatch,
      approve: act("linkedin.draft.approve", withDraft),
      pause: act("mission.pause", withMission),
      resume: act("mission.resume", withMission),
      complete: act("mission.complete", withMission),
      delete: act("mission.delete", withMission),
      update: act("mission.update", (subject) => ({ ...withMission(subject), desired_action: "A call" })),
      move: act("mission.update", (subject) => ({ ...withMission(subject), agent_handle: "ada-martin" })),
      leave: act("lead.mission.remove", ({ lead_id, slug }) => ({ lead_ids: [lead_id], mission_id: slug })),
      join: act("lead.mission.add", ({ lead_id, slug }) => ({ lead_ids: [lead_id], mission_id: slug })),
      draft: act("linkedin.draft.create", ({ lead_id, slug }) => ({
        lead_id,
        agent_handle: slug,
        mission_id: slug,
        replace_open: true,
        variations: ["Two"]
      })),
      deleteAgent: act("agent.delete", ({ slug }) => ({ agent_handle: slug, force: true })),
      updateAgent: act("agent.update", ({ slug }) => ({ agent_handle: slug, personality: "Short" })),
      unlink: act("linkedin.account.unlink", ({ slug }) => ({ agent_handle: slug })),
      deleteOffer: act("offer.delete", ({ slug }) => ({ offer_id: slug })),
      updateOffer: act("offer.update", ({ slug }) => ({ offer_id: slug, one_liner: "Two" })),
      unpublish: act("offer.update", ({ slug }) => ({ offer_id: slug, is_draft: true })),
      erase: onLead["erase"] as Act
    },
    steps: ["dispatch"],
    look: [
      ["mission.get", withMission],
      ["linkedin.draft.get", withDraft],
      ["linkedin.queue.list", () => ({})]
    ]
  },
  leads: {
    prepare: async (two, slug) => {
      const subject = await draftFor(two, slug)
      const email = `${slug}@lead.example`
      return { ...subject, email, other_id: await leadFor(two, `${slug}-other`, { email }) }
    },
    acts: {
      merge: act("lead.merge", ({ lead_id, other_id }) => ({ winner_lead_id: lead_id, loser_lead_ids: [other_id] })),
      mergeBack: act("lead.merge", ({ lead_id, other_id }) => ({
        winner_lead_id: other_id,
        loser_lead_ids: [lead_id]
      })),
      upsert: act("lead.upsert", ({ email, lead_id }) => ({ lead_id, custom_id: `crm-${email}` })),
      upsertOther: act("lead.upsert", ({ email }) => ({ email, custom_id: `crm-${email}` })),
      note: act("lead.note.add", ({ lead_id }) => ({ lead_id, text: "Known" })),
      noteOther: act("lead.note.add", ({ other_id }) => ({ lead_id: other_id, text: "Known" })),
      draftOther: act("linkedin.draft.create", ({ other_id }) => ({ lead_id: other_id, ...ada, variations: ["Six"] })),
      approve: onDraft["approve"] as Act,
      send: onDraft["send"] as Act,
      ...onLead
    },
    steps: ["send", "dispatch"],
    look: [
      ["linkedin.draft.get", withDraft],
      ["lead.get", withLead],
      ["lead.get", ({ email }) => ({ email })]
    ]
  },
  key: {
    prepare: async (two, slug) => {
      const made = await two.run(0, "key.create", { name: slug })
      const [api_key, key_id] = [dataAt(made, "api_key"), dataAt(made, "key.key_id")]
      const signedIn = await two.ask(0, "POST", "/review/session", { key: null, json: { api_key } })
      const cookie = (signedIn.headers.get("set-cookie") ?? "").split(";")[0] ?? ""
      const path = dataAt(await two.run(0, "session.link.create", { key_id }), "path")
      return { slug, api_key, key_id, cookie, link: path.split("#link=")[1] ?? "" }
    },
    acts: {
      rotate: act("key.rotate", ({ key_id }) => ({ key_id, overlap_seconds: 0 })),
      revoke: act("key.revoke", ({ key_id }) => ({ key_id })),
      ask: act("policy.set", ({ key_id }) => ({ key_id, mutate: "ask" })),
      link: act("session.link.create", ({ key_id }) => ({ key_id })),
      useLink: session(({ link }) => ({ link })),
      signIn: session(({ api_key }) => ({ api_key })),
      signOut: asSession("DELETE"),
      whoAmI: asSession("GET")
    },
    steps: [],
    look: [["key.list", () => ({ limit: 3 })]]
  },
  grant: {
    prepare: async (two, slug) => {
      const json = { client_name: slug, redirect_uris: [redirectUri] }
      const registered = await two.ask(0, "POST", "/oauth/register", { key: null, json })
      const client = textAt(registered.body, "client_id")
      const tokens = await postForm(two, 0, "/oauth/token", {
        grant_type: "authorization_code",
        ...(await codeFor(two, client))
      })
      const key_id = dataAt(await two.run(0, "key.list", { limit: 1 }), "keys.0.key_id")
      const refresh_token = textAt(tokens.body, "refresh_token")
      return { slug, refresh_token, key_id, ...(await codeFor(two, client)) }
    },
    acts: {
      exchange: form("/oauth/token", ({ client_id = "", code = "", code_verifier = "", redirect_uri = "" }) => ({
        grant_type: "authorization_code",
        client_id,
        code,
        code_verifier,
        redirect_uri
      })),
      refresh: form("/oauth/token", ({ client_id = "", refresh_token = "" }) => ({
        grant_type: "refresh_token",
        client_id,
        refresh_token
      })),
      revoke: form("/oauth/revoke", ({ client_id = "", refresh_token = "" }) => ({ client_id, token: refresh_token })),
      revokeKey: act("key.revoke", ({ key_id }) => ({ key_id }))
    },
    steps: [],
    look: [["key.list", () => ({ limit: 2 })]]
  },
  webhook: {
    prepare: async (two, slug) => {
      const made = await two.run(0, "webhook.create", { url: `https://hooks.example.com/${slug}` })
      const webhook_id = dataAt(made, "webhook.webhook_id")
      const sent = await two.run(0, "webhook.test", { webhook_id })
      return { slug, webhook_id, delivery_id: dataAt(sent, "delivery.delivery_id") }
    },
    acts: {
      update: act("webhook.update", ({ webhook_id }) => ({ webhook_id, event_types: ["lead.created"] })),
      pause: act("webhook.update", ({ webhook_id }) => ({ webhook_id, active: false })),
      delete: act("webhook.delete", ({ webhook_id }) => ({ webhook_id })),
      rotate: act("webhook.rotate-secret", ({ webhook_id }) => ({ webhook_id })),
      test: act("webhook.test", ({ webhook_id }) => ({ webhook_id })),
      redeliver: act("webhook.redeliver", ({ delivery_id }) => ({ delivery_id }))
    },
    steps: [],
    look: [["webhook.deliveries", ({ webhook_id }) => ({ webhook_id })]]
  }
}
