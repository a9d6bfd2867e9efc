/** Runs campaigns one after the other and prints one line for each; exits with 1 where one found something or tried nothing. */
import { parseArgs } from "node:util"
import { citus } from "./citus.ts"
import { clock } from "./clock.ts"
import { failover } from "./failover.ts"
import { fuzz } from "./fuzz.ts"
import { hosts } from "./hosts.ts"
import { interrupts } from "./interrupts.ts"
import { kills } from "./kills.ts"
import { mail } from "./mail.ts"
import { pairsCampaign } from "./pairs.ts"
import { races } from "./races.ts"
import { restore } from "./restore.ts"
import { bouncer, ci, differential, mailServers, pool, versions } from "./suites.ts"
import { type Campaign, Tally } from "./Tally.ts"
import { tenants } from "./tenants.ts"
import { wire } from "./wire.ts"

/** Mails of the short campaign with the slow tests. */
const mailsOfCi = 150

/** The campaign of mailboxes as one of the tests, unless only some of them are chosen. It may be skipped alone. */
const shortMail: Campaign = async ({ seed }, tally) => {
  if (process.env["SVC_CAMPAIGN_SCENES"] !== undefined) return
  const own = new Tally()
  await mail({ count: mailsOfCi, seed }, own)
  process.stdout.write(`Mailboxes: ${own}\n`)
  if (!own.isClean) tally.add("failed", `mailboxes: ${own}`)
}

const inTurn =
  (...parts: ReadonlyArray<Campaign>): Campaign =>
  async (extent, tally) => {
    for (const part of parts) await part(extent, tally)
  }

/** Each campaign, and how much it usually tries. */
const campaigns: Readonly<Record<string, readonly [run: Campaign, usualCount: number]>> = {
  ci: [inTurn(ci, shortMail), 1],
  fuzz: [fuzz, 20_000],
  wire: [wire, 20_000],
  tenants: [tenants, 2_500],
  kills: [kills, 100],
  interrupts: [interrupts, 30],
  races: [races, 200],
  pairs: [pairsCampaign, 3_000],
  restore: [restore, 30],
  failover: [failover, 9],
  clock: [clock, 200],
  differential: [differential, 200],
  versions: [versions, 4],
  bouncer: [bouncer, 1],
  pool: [pool, 1],
  hosts: [hosts, 1],
  citus: [citus, 1],
  mail: [inTurn(mail, mailServers), 1_000]
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: "string", default: "7" }, cycles: { type: "string" } }
})
const unknown = positionals.find((name) => !Object.hasOwn(campaigns, name))
if (unknown !== undefined) {
  process.stderr.write(`Campaign ${unknown} not found. Campaigns: ${Object.keys(campaigns).join(", ")}.\n`)
  process.exit(2)
}

// What the product logs goes to stderr: stdout has a line for each campaign, and for each run of suites.
console.log = console.error
let isClean = true
for (const [name, [run, usual]] of Object.entries(campaigns)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue
  const seed = Number(values.seed)
  const tally = new Tally()
  const started = performance.now()
  await run({ seed, count: Number(values.cycles ?? usual) }, tally)
  const seconds = Math.round((performance.now() - started) / 1_000)
  process.stdout.write(`${name}: ${tally} (seed ${seed}, ${seconds} s)\n`)
  isClean &&= tally.isClean
}
process.exit(isClean ? 0 : 1)
