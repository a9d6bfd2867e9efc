/** Commands that a kill may interrupt: what to prepare, what to ask, and what must be there once afterwards. */
import { at, type Reply } from "../support/httpService.ts"

/** Asks the server that is not killed; the data of a command that must succeed. */
export type Run = (command: string, input: unknown, key?: string) => Promise<unknown>

/** A request that is made on the server that is killed. */
interface Interrupted {
  readonly command: string
  readonly input: unknown
  /** Whether it takes several transactions: only then may its key be held after its process is dead, for 30 seconds. */
  readonly isStepwise?: boolean
  /** What there is of it, by name; every number must be the expected one. */
  readonly count: (
    run: Run,
    reply: Reply
  ) => Promise<Readonly<Record<string, readonly [found: number, expected: number]>>>
}

/** Makes a request of one kind; `name` is one that nothing else has. */
export type Interruption = (run: Run, name: string, ask: (name: string) => Promise<string>) => Promise<Interrupted>

const lengthAt = (value: unknown, path: string): number => {
  const found = at(value, path)
  return Array.isArray(found) ? found.length : -1
}

/** How many of a list have a name in them. */
const namedIn = (list: unknown, name: string): number =>
  Array.isArray(list) ? list.filter((one) => JSON.stringify(one).includes(name)).length : -1

const leadFor = async (run: Run, name: string): Promise<string> =>
  String(at(await run("lead.upsert", { name, linkedin_url: `https://www.linkedin.com/in/${name}` }), "lead_id"))

const draftFor = async (run: Run, name: string, more: object = {}): Promise<Readonly<Record<string, string>>> => {
  const lead_id = await leadFor(run, name)
  const made = await run("linkedin.draft.create", { lead_id, variations: [`Hello ${name}`], ...more })
  return { lead_id, draft_id: String(at(made, "draft.draft_id")) }
}

/** How often something happened to one of the named things. */
const eventsOf = async (run: Run, type: string, names: ReadonlyArray<string>): Promise<number> => {
  let [after, found] = [0, 0]
  for (;;) {
    const page = await run("event.list", { after, types: type, limit: 100 })
    const events = at(page, "events")
    if (!Array.isArray(events) || events.length === 0) return found
    found += events.filter((event) => names.some((name) => JSON.stringify(event).includes(name))).length
    after = Number(at(page, "next"))
  }
}

const isOk = ({ status }: Reply): number => (status === 200 ? 1 : 0)

const rowsOf = (name: string, rows: number): string =>
  `Email,Name\n${Array.from({ length: rows }, (_, index) => `${name}-${index}@lead.example,${name}`).join("\n")}`

const missionFor = async (run: Run, name: string): Promise<string> => {
  await run("mission.create", { name, handle: name })
  return name
}

const csvRows = 700

/** Every kind of them by name. */
export const interruptions: Readonly<Record<string, Interruption>> = {
  approve: async (run, name) => {
    const { draft_id = "" } = await draftFor(run, name)
    return {
      command: "linkedin.draft.approve",
      input: { draft_id },
      count: async () => ({ approvals: [await eventsOf(run, "draft.approved", [draft_id]), 1] })
    }
  },
  send: async (run, name) => {
    const { draft_id = "", lead_id = "" } = await draftFor(run, name)
    return {
      command: "linkedin.draft.approve",
      input: { draft_id, send_now: true },
      isStepwise: true,
      // One of unknown outcome is settled by the worker, so only an answer of success promises a message.
      count: async (_, reply) => ({
        approvals: [await eventsOf(run, "draft.approved", [draft_id]), 1],
        messages: [lengthAt(await run("linkedin.conversation.get", { lead_id }), "messages"), isOk(reply)]
      })
    }
  },
  createMany: async (run, name) => {
    const leads = await Promise.all([1, 2, 3].map((index) => leadFor(run, `${name}-${index}`)))
    return {
      command: "linkedin.draft.create-many",
      input: { drafts: leads.map((lead_id) => ({ lead_id, variations: ["Hello"] })) },
      count: async () => ({ drafts: [await eventsOf(run, "draft.created", leads), 3] })
    }
  },
  approveMany: async (run, name) => {
    const drafts = await Promise.all([1, 2, 3].map((index) => draftFor(run, `${name}-${index}`)))
    const ids = drafts.map(({ draft_id = "" }) => draft_id)
    return {
      command: "linkedin.draft.approve-many",
      input: { items: ids.map((draft_id) => ({ draft_id })) },
      count: async () => ({ approvals: [await eventsOf(run, "draft.approved", ids), 3] })
    }
  },
  reject: async (run, name) => {
    const { draft_id = "" } = await draftFor(run, name)
    return {
      command: "linkedin.draft.reject",
      input: { draft_id, reason: "No" },
      count: async () => ({ rejections: [await eventsOf(run, "draft.rejected", [draft_id]), 1] })
    }
  },
  resolve: async (run, name, ask) => {
    const lead_id = await leadFor(run, name)
    const approval_request_id = await ask(lead_id)
    return {
      command: "approval.resolve",
      input: { approval_request_id, decision: "approve" },
      isStepwise: true,
      count: async () => {
        const shown = await run("approval.get", { approval_request_id })
        return {
          notes: [await eventsOf(run, "lead.updated", [lead_id]), 1],
          decisions: [await eventsOf(run, "approval.decided", [approval_request_id]), 1],
          outcomes: [at(shown, "approval.outcome") === "ok" ? 1 : 0, 1]
        }
      }
    }
  },
  csv: async (run, name) => {
    const mission_handle = await missionFor(run, name)
    return {
      command: "import.csv",
      input: { mission_handle, content: rowsOf(name, csvRows) },
      isStepwise: true,
      count: async () => ({
        leads: [Number(at(await run("import.list", { mission_id: name }), "imports.0.created_count")), csvRows],
        imports: [lengthAt(await run("import.list", { mission_id: name }), "imports"), 1]
      })
    }
  },
  add: async (run, name) => {
    const mission_id = await missionFor(run, name)
    const leads = Array.from({ length: 50 }, (_, index) => ({ email: `${name}-${index}@lead.example` }))
    return {
      command: "import.leads.add",
      input: { mission_id, leads },
      isStepwise: true,
      count: async () => ({
        leads: [lengthAt(await run("lead.search", { mission_id, limit: 100 }), "leads"), 50],
        imports: [lengthAt(await run("import.list", { mission_id }), "imports"), 1]
      })
    }
  },
  undo: async (run, name) => {
    const mission_handle = await missionFor(run, name)
    const made = await run("import.csv", { mission_handle, content: rowsOf(name, csvRows) })
    const import_id = String(at(made, "import_id"))
    return {
      command: "import.undo",
      input: { import_id },
      isStepwise: true,
      count: async () => ({
        leads: [lengthAt(await run("lead.search", { mission_id: name }), "leads"), 0],
        undone: [at(await run("import.get", { import_id }), "import.state") === "undone" ? 1 : 0, 1]
      })
    }
  },
  erase: async (run, name) => {
    const { lead_id = "" } = await draftFor(run, name)
    return {
      command: "lead.erase",
      input: { lead_id, confirm: lead_id, reason: "Asked" },
      count: async () => ({
        erasures: [await eventsOf(run, "lead.erased", [lead_id]), 1],
        drafts: [lengthAt(await run("lead.search", { query: name }), "leads"), 0]
      })
    }
  },
  merge: async (run, name) => {
    const [winner_lead_id, loser] = [await leadFor(run, name), await leadFor(run, `${name}-loser`)]
    return {
      command: "lead.merge",
      input: { winner_lead_id, loser_lead_ids: [loser] },
      count: async () => ({ merges: [await eventsOf(run, "lead.merged", [winner_lead_id]), 1] })
    }
  },
  invite: async (run, name) => {
    const lead_id = await leadFor(run, `${name}-2nd`)
    return {
      command: "linkedin.invitation.send",
      input: { lead_id, agent_handle: "ada-martin" },
      isStepwise: true,
      // One that was being sent is settled by the worker: it has left, or nobody knows.
      count: async (_, reply) => {
        const sent = await eventsOf(run, "invitation.sent", [lead_id])
        return { sent: [sent, at(reply.body, "data.result") === "queued" ? Math.min(sent, 1) : isOk(reply)] }
      }
    }
  },
  sync: async (run, name) => {
    const lead_id = await leadFor(run, name)
    return {
      command: "linkedin.conversation.sync",
      input: { lead_id, agent_handle: "ada-martin" },
      isStepwise: true,
      count: async (_, reply) => ({ answers: [isOk(reply), 1] })
    }
  },
  key: async (run, name) => ({
    command: "key.create",
    input: { name },
    count: async () => ({ keys: [namedIn(at(await run("key.list", { limit: 100 }), "keys"), name), 1] })
  }),
  hook: async (run, name) => ({
    command: "webhook.create",
    input: { url: `https://hooks.example.com/${name}` },
    count: async () => ({ hooks: [namedIn(at(await run("webhook.list", { limit: 100 }), "webhooks"), name), 1] })
  }),
  mission: async (run, name) => ({
    command: "mission.create",
    input: { name },
    count: async () => ({ missions: [lengthAt(await run("mission.list", { query: name }), "missions"), 1] })
  })
}
