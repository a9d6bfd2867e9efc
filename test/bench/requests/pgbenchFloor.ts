/** The floor of the database: the peer's statements under `pgbench`, without a server in between. */
import { execFile } from "node:child_process"
import { existsSync } from "node:fs"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { postgresTool } from "../../support/PostgresCluster.ts"
import type { Statement } from "../peer/database.ts"
import { firstOffers } from "../peer/readOffers.ts"
import { findProspect } from "../peer/readProspect.ts"
import { createLead, findLeads, updateLead } from "../peer/upsertLead.ts"

/** A statement with an SQL expression for each parameter. */
type Filled = readonly [Statement, ReadonlyArray<string>]

const run = promisify(execFile)

/** The statement with its parameters filled in; colons of time formats would be taken for variables. */
const textOf = ([{ text }, expressions]: Filled): string =>
  `${text
    .replace(/\s+/g, " ")
    .replace(/:(MI|SS)/g, "' || chr(58) || '$1")
    .replace(/\$(\d+)/g, (_, position) => `(${expressions[Number(position) - 1]})`)};`

const journal = (owner: string, event: string): ReadonlyArray<string> => [
  owner,
  "'USER'",
  "'usr_1'",
  "'key'",
  "'lead.upsert'",
  "repeat('0', 64)",
  "'aud_' || :i::text",
  "now()",
  "'lead'",
  "'ld_' || :i::text",
  "'evt_' || :i::text",
  `'${event}'`,
  `'{"changed":["jobTitle"]}'`,
  "null",
  "null"
]

const scriptsFor = (organization: string): Readonly<Record<string, ReadonlyArray<Filled>>> => {
  const owner = `'${organization}'`
  const kinds = "'{slug,email}'"
  const lead = "'ld_' || lpad(:lead::text, 26, '0')"
  const newNames = "array['new-' || :i::text, 'new.' || :i::text || '@company.example']"
  const oldNames =
    "array['lead-' || :lead::text, 'lead' || :lead::text || '@company' || (:lead::int % 5000) || '.example']"
  const content = (id: string) => [
    ...["'Chiara Person'", "'Head of Finance'", `'Head of Finance ' || ${id}`, "'Company GmbH'"],
    ...["'lead@company.example'", "'https://www.linkedin.com/in/lead'", "'New'", "0", "false"],
    `'{"location":"Berlin, Germany"}'`
  ]
  return {
    "upsert-new": [
      [findLeads, [owner, kinds, newNames, "null", kinds, newNames]],
      [createLead, [...journal(owner, "lead.created"), kinds, newNames, "'ld_' || :i::text", ...content("''")]]
    ],
    "upsert-update": [
      [findLeads, [owner, kinds, oldNames, "null", kinds, oldNames]],
      [
        updateLead,
        [...journal(owner, "lead.updated"), ...["'{}'", "'{}'", lead], ...content(":i::text"), "leads.version"]
      ]
    ],
    "offers-page": [[firstOffers, [owner, "26"]]],
    prospect: [[findProspect, [owner, lead]]]
  }
}

/** Where and how long. */
export interface FloorSettings {
  readonly folder: string
  readonly url: string
  readonly organization: string
  readonly leads: number
  readonly connections: number
  readonly seconds: number
}

/** Transactions a second of the statements of a scenario; undefined where there are none, or no `pgbench`. */
export const databaseFloor = async (scenario: string, settings: FloorSettings): Promise<number | undefined> => {
  const { connections, folder, leads, organization, seconds, url } = settings
  const statements = scriptsFor(organization)[scenario]
  const pgbench = postgresTool("pgbench")
  if (statements === undefined || !existsSync(pgbench)) return undefined
  const file = join(folder, `${scenario}.sql`)
  const variables = `\\set i random(1, 9000000000000000)\n\\set lead random(1, ${leads})\n`
  await writeFile(file, variables + statements.map(textOf).join("\n"))
  const options = ["-n", "-M", "prepared", "-c", String(connections), "-j", "2", "-T", String(seconds), "-f", file, url]
  const env = { PATH: process.env["PATH"], PGOPTIONS: "-c plan_cache_mode=force_generic_plan -c jit=off" }
  const { stdout } = await run(pgbench, options, { env })
  const rate = /^tps = ([\d.]+)/m.exec(stdout)?.[1]
  if (rate === undefined) throw new Error(`pgbench measured nothing: ${stdout}`)
  return Number(rate)
}
