/**
 * A server is killed with SIGKILL in the middle of commands, and each is repeated with its idempotency key on another server of
 * the same database, which may have to wait: for a command of several transactions until its claim counts as dead.
 *
 * Lost: what was repeated has not taken effect, or waits for longer than it is told. Doubled: it took effect twice. Failed: an
 * answer of 500 or more.
 */

import { startFakeProcess } from "../support/fakeUnipile/fakeProcess.ts"
import type { Reply } from "../support/httpService.ts"
import { at, readReply } from "../support/httpService.ts"
import { randomOf } from "../support/random.ts"
import { type RunningSvc, startSvc, svc } from "../support/svcProcess.ts"
import { interruptions, type Run } from "./interruptions.ts"
import { newDatabase, withPostgres } from "./postgres.ts"
import { type Campaign, pause, scenesToRun } from "./Tally.ts"

/** Requests of one kill. */
const atOnce = 5
/** Milliseconds within which the server is killed. */
const maxLife = 160
/** Seconds until the claim of a dead process is taken over, and for what takes one transaction. */
const claimSeconds = 30
const transactionSeconds = 5
const slack = 5

const account = "acct-1"

/** Runs the campaign. `SVC_CAMPAIGN_SCENES` names the commands that are interrupted, all unless told otherwise. */
export const interrupts: Campaign = ({ count, seed }, tally) =>
  withPostgres(async (cluster) => {
    const { next, pick } = randomOf(seed)
    tally.atLeast("killed before the answer", 1)
    const chosen = scenesToRun(Object.keys(interruptions))
    const fake = await startFakeProcess()
    const env = {
      SVC_DATABASE_URL: await newDatabase(cluster),
      SVC_RATE_LIMIT: "0",
      SVC_LINKEDIN_GATEWAY: "unipile",
      SVC_UNIPILE_DSN: fake.url,
      SVC_UNIPILE_API_KEY: fake.apiKey,
      SVC_LINKEDIN_PACING: "off",
      SVC_ALLOW_UNPACED: "yes"
    }
    const open = (more: ReadonlyArray<string> = ["--no-worker"]) => startSvc(["serve", ...more], { env })
    const made = JSON.parse((await svc(["orgs", "create", "a", "--json"], { env })).stdout)
    const survivor = await open([])
    let victim: RunningSvc = await open()
    const ask = async (url: string, apiKey: string, command: string, input: unknown, key?: string): Promise<Reply> => {
      const response = await fetch(`${url}/api/v1/commands/${command}`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${apiKey}`,
          "content-type": "application/json",
          ...(key === undefined ? {} : { "idempotency-key": key })
        },
        body: JSON.stringify(input)
      })
      return readReply(response)
    }
    const run: Run = async (command, input) => {
      const reply = await ask(survivor.url, made.api_key, command, input)
      if (reply.status !== 200) throw new Error(`${command} answered ${reply.status} ${reply.text.slice(0, 400)}`)
      return at(reply.body, "data")
    }
    try {
      await fake.control("account", { id: account })
      await fake.control("script", { action: "message", accept: true, answer: "ordinary", delay: 60 })
      await run("agent.create", { first_name: "Ada", last_name: "Martin" })
      await run("linkedin.account.link", { agent_handle: "ada-martin", gateway_account_id: account })
      const agent = at(await run("key.create", { name: "Agent", actor_kind: "AI_AGENT" }), "api_key")
      const agentId = String(agent).split("_")[2]
      await run("policy.set", { key_id: agentId, mutate: "ask" })
      await pause(1_000)
      /** Asks for something that has to be approved. */
      const request = async (lead_id: string): Promise<string> => {
        const reply = await ask(survivor.url, String(agent), "lead.note.add", { lead_id, text: "Known" })
        return String(at(reply.body, "meta.approval_request_id"))
      }

      for (let cycle = 0; cycle < count; cycle++) {
        const kinds = Array.from({ length: atOnce }, () => pick(chosen))
        const names = kinds.map((kind, index) => `${kind.toLowerCase()}-${seed}-${cycle}-${index}`)
        await fake.control("people", {
          slugs: names.flatMap((name) => [name, ...[1, 2, 3].map((n) => `${name}-${n}`)])
        })
        await fake.control("people", { slugs: names.map((name) => `${name}-2nd`), accept_after: null })
        const prepared = await Promise.all(
          kinds.map(async (kind, index) => {
            const made = await interruptions[kind]?.(run, names[index] ?? "", request)
            if (made === undefined) throw new Error(`There is no kind ${kind}.`)
            return { ...made, kind, name: names[index] ?? "" }
          })
        )
        const begun = prepared.map(async ({ command, input, name }) => {
          await pause(next(maxLife / 4))
          return ask(victim.url, made.api_key, command, input, name).catch(() => undefined)
        })
        await pause(next(maxLife))
        await victim.stop("SIGKILL")
        const killed = performance.now()
        const first = await Promise.all(begun)
        for (const [index, { kind }] of prepared.entries()) {
          tally.hit(first[index] === undefined ? `${kind} killed` : `${kind} answered`)
          if (first[index] === undefined) tally.hit("killed before the answer")
        }
        const repeat = async (
          { command, count: found, input, isStepwise, kind, name }: (typeof prepared)[number],
          index: number
        ) => {
          for (;;) {
            const reply = await ask(survivor.url, made.api_key, command, input, name)
            const seconds = (performance.now() - killed) / 1_000
            const told = `${kind} ${name}: ${first[index]?.status ?? "killed"}, then ${reply.status} after ${Math.round(seconds)} s`
            const code = at(reply.body, "error.code")
            if (seconds > (isStepwise === true ? claimSeconds : transactionSeconds) + slack)
              tally.add("lost", `${told} ${code}`)
            if (code === "IDEMPOTENCY_IN_PROGRESS") {
              if (seconds > 2 * claimSeconds) return
              await pause(200)
              continue
            }
            if (reply.status >= 500) tally.add("failed", `${told} ${reply.text.slice(0, 300)}`)
            if (first[index] !== undefined && first[index].status !== reply.status) tally.add("lost", told)
            if (process.env["SVC_CAMPAIGN_VERBOSE"] !== undefined) process.stderr.write(`${told} ${code ?? ""}\n`)
            const isComplete = (counts: Awaited<ReturnType<typeof found>>) =>
              Object.values(counts).every(([there, expected]) => there >= expected)
            let counts = await found(run, reply)
            // Events get their numbers a moment after they are stored.
            for (let wait = 0; wait < 40 && !isComplete(counts); wait++) {
              await pause(300)
              counts = await found(run, reply)
            }
            for (const [what, [there, expected]] of Object.entries(counts)) {
              if (there !== expected)
                tally.add(
                  there > expected ? "doubled" : "lost",
                  `${told}: ${there} ${what}, not ${expected} (${code ?? "ok"})`
                )
            }
            tally.tried++
            return
          }
        }
        await Promise.all(prepared.map(repeat))
        victim = await open()
      }
      const { ledger } = (await fake.control("ledger")) as {
        readonly ledger: ReadonlyArray<{ readonly slug: string; readonly kind?: string }>
      }
      const left = new Map<string, number>()
      for (const { slug } of ledger) left.set(slug, (left.get(slug) ?? 0) + 1)
      for (const [slug, times] of left) if (times > 1) tally.add("doubled", `${times} messages to ${slug}`)
    } finally {
      await victim.stop("SIGKILL")
      await survivor.stop("SIGKILL")
      await fake.stop()
    }
  })
