/**
 * Server, worker and database are killed with SIGKILL, in turn, while clients write and messages leave through the provider's
 * fake: the server at any moment, the other two while a message is on its way. Clients retry with the same idempotency keys until they have an answer, as they are told to.
 *
 * Lost: something acknowledged is not there, or was not sent. Doubled: a lead, a draft or a message that exists twice.
 * Leaked: a message that left through another organization's account.
 */
import { startFakeProcess } from "../support/fakeUnipile/fakeProcess.ts"
import { randomOf } from "../support/random.ts"
import { type RunningSvc, startSvc, svc } from "../support/svcProcess.ts"
import { newDatabase, type Whereabouts, whereabouts, withPostgres } from "./postgres.ts"
import { type Campaign, pause, type Tally } from "./Tally.ts"

const peopleEachCycle = 2
const maxTries = 400
/** Leases of 15 seconds end, and whoever is left takes over. */
const maxWaitSeconds = 180
/** In turn; the server sends nothing. */
const victims = ["worker", "database", "server"] as const
/** How long the provider takes for a message, in milliseconds: a process is killed while it waits for that. */
const sendMillis = 250
/** How often is looked whether a message is on its way before somebody is killed anyway. */
const maxLooks = 400
/** With fewer of them the campaign proves nothing. */
const leastDuringSend = 5

interface Sent {
  readonly slug: string
  readonly accountId: string
  /** When the provider took it, in milliseconds; it was asked {@link sendMillis} before. */
  readonly at: number
}

interface Organization {
  readonly name: string
  readonly key: string
}

/** Answers that say to come again, as an outage does. */
const isTransient = (status: number, code: unknown): boolean =>
  status === 503 || status === 429 || code === "IDEMPOTENCY_IN_PROGRESS"

/** Runs a command until it has an answer. */
export const persistently =
  (urlOf: () => string, tally: Tally) =>
  async (key: string, command: string, input: unknown, idempotencyKey: string): Promise<Record<string, unknown>> => {
    let last = ""
    for (let attempt = 0; attempt < maxTries; attempt++) {
      if (attempt > 0) await pause(100)
      try {
        const response = await fetch(`${urlOf()}/api/v1/commands/${command}`, {
          method: "POST",
          headers: {
            authorization: `Bearer ${key}`,
            "content-type": "application/json",
            "idempotency-key": idempotencyKey
          },
          body: JSON.stringify(input)
        })
        const answer = Object(await response.json())
        if (answer.ok === true) return Object(answer.data)
        last = `${response.status} ${answer.error?.code} ${answer.error?.message}`
        if (isTransient(response.status, answer.error?.code)) continue
        if (response.status >= 500) tally.add("failed", `${command} ${idempotencyKey}: ${last}`)
        else throw new Error(`${command} ${idempotencyKey} was refused: ${last}`)
      } catch (cause) {
        // The connection broke: nobody knows what became of the request.
        if (cause instanceof Error && cause.message.includes("was refused")) throw cause
      }
    }
    throw new Error(`${command} ${idempotencyKey} has no answer: ${last}`)
  }

/** Compares what was acknowledged with what is stored and with what the provider took. */
const judge = (
  promised: ReadonlySet<string>,
  rows: ReadonlyArray<Whereabouts>,
  ledger: ReadonlyArray<Sent>,
  tally: Tally
): void => {
  for (const slug of promised) {
    const drafts = rows.filter((row) => row.slug === slug)
    const sent = ledger.filter((one) => one.slug === slug)
    const [draft] = drafts
    if (draft === undefined) tally.add("lost", `the draft to ${slug}`)
    else if (draft.state !== "sent" && draft.state !== "ambiguous")
      tally.add("lost", `the message to ${slug}: ${draft.status} ${draft.state}`)
    else if (draft.state === "sent" && sent.length === 0) tally.add("lost", `${slug} is said to be sent`)
    if (drafts.length > 1) tally.add("doubled", `${drafts.length} drafts to ${slug}`)
    if (sent.length > 1) tally.add("doubled", `${sent.length} messages to ${slug}`)
    for (const { accountId } of sent) {
      if (accountId !== `acct-${slug.slice(0, 1)}`) tally.add("leaked", `${slug} was written to from ${accountId}`)
    }
  }
}

/** Runs the campaign. */
export const kills: Campaign = ({ count, seed }, tally) =>
  withPostgres(async (cluster) => {
    const { next } = randomOf(seed)
    tally.atLeast("during a send", leastDuringSend)
    const url = await newDatabase(cluster)
    const fake = await startFakeProcess()
    const env = {
      SVC_DATABASE_URL: url,
      SVC_DATABASE_WAIT_SECONDS: "30",
      SVC_RATE_LIMIT: "0",
      SVC_LINKEDIN_GATEWAY: "unipile",
      SVC_UNIPILE_DSN: fake.url,
      SVC_UNIPILE_API_KEY: fake.apiKey,
      SVC_LINKEDIN_PACING: "off",
      SVC_ALLOW_UNPACED: "yes",
      SVC_SEND_HOLD_SECONDS: "0"
    }
    const start = { server: ["serve", "--no-worker"], worker: ["worker"] }
    const running: { server?: RunningSvc; worker?: RunningSvc } = {}
    try {
      const organizations: Array<Organization> = []
      for (const name of ["a", "b"]) {
        const made = await svc(["orgs", "create", name, "--json"], { env })
        organizations.push({ name, key: String(JSON.parse(made.stdout).api_key) })
        await fake.control("account", { id: `acct-${name}` })
      }
      // The provider goes on when who asked was killed.
      await fake.control("script", { action: "message", accept: true, answer: "ordinary", delay: sendMillis })
      running.server = await startSvc(start.server, { env })
      running.worker = await startSvc(start.worker, { env })
      const run = persistently(() => running.server?.url ?? "", tally)
      for (const { key, name } of organizations) {
        await run(key, "agent.create", { first_name: "Ada", last_name: "Martin" }, "agent")
        const link = { agent_handle: "ada-martin", gateway_account_id: `acct-${name}` }
        await run(key, "linkedin.account.link", link, "link")
      }

      const promised = new Set<string>()
      const write = async ({ key }: Organization, slug: string): Promise<void> => {
        const lead = { linkedin_url: `https://www.linkedin.com/in/${slug}`, name: slug }
        const { lead_id } = await run(key, "lead.upsert", lead, `${slug}-lead`)
        const draft = { lead_id, variations: [{ body_text: `Hello ${slug}` }] }
        const created = Object(await run(key, "linkedin.draft.create", draft, `${slug}-draft`))
        await run(key, "linkedin.draft.approve", { draft_id: created.draft.draft_id }, `${slug}-approve`)
        promised.add(slug)
      }
      const killedAt: Array<number> = []
      const kill = async (victim: (typeof victims)[number]): Promise<void> => {
        tally.hit(`${victim} killed`)
        if (victim !== "server") killedAt.push(Date.now())
        if (victim === "database") return cluster.crash()
        await running[victim]?.stop("SIGKILL")
        running[victim] = await startSvc(start[victim], { env })
      }
      const untilSending = async (): Promise<void> => {
        for (let look = 0; look < maxLooks; look++) {
          if (Object(await fake.control("sending")).sending > 0) return
          await pause(10)
        }
      }

      for (let cycle = 0; cycle < count; cycle++) {
        const slugs = organizations.map(({ name }) =>
          Array.from({ length: peopleEachCycle }, (_, index) => `${name}-person-${cycle}-${index}`)
        )
        await fake.control("people", { slugs: slugs.flat() })
        const written = organizations.flatMap((one, index) => (slugs[index] ?? []).map((slug) => write(one, slug)))
        const settled = Promise.allSettled(written)
        const victim = victims[cycle % victims.length] ?? "server"
        if (victim !== "server") await untilSending()
        await pause(next(victim === "server" ? 400 : sendMillis / 3))
        await kill(victim)
        for (const one of await settled) if (one.status === "rejected") tally.add("lost", String(one.reason))
        tally.tried++
      }

      let rows = await whereabouts(url)
      const isOver = () => rows.every(({ state }) => state === "sent" || state === "ambiguous")
      for (let waited = 0; waited < maxWaitSeconds && !isOver(); waited++) {
        await pause(1_000)
        rows = await whereabouts(url)
      }
      await running.worker.stop("SIGKILL")
      const { ledger } = (await fake.control("ledger")) as { readonly ledger: ReadonlyArray<Sent> }
      const isDuringSend = (millis: number) => ledger.some(({ at }) => at - sendMillis < millis && millis < at)
      tally.hit("during a send", killedAt.filter(isDuringSend).length)
      judge(promised, await whereabouts(url), ledger, tally)
    } finally {
      await running.server?.stop("SIGKILL")
      await running.worker?.stop("SIGKILL")
      await fake.stop()
    }
  })
