/**
 * The faults that campaigns must find: each is one changed piece of source in a copy of the repository. Whoever changes such a
 * piece names another one; `test/architecture/campaigns.test.ts` says so.
 */

/** A fault. */
export interface Mutation {
  readonly campaign: string
  /** What is wrong then. */
  readonly fault: string
  readonly file: string
  /** A piece of the file that occurs once, and what stands in its place. */
  readonly text: string
  readonly replacement: string
  /** What the campaign must count. */
  readonly finds: "lost" | "doubled" | "leaked" | "5xx"
  /** How much to try: enough to find it. */
  readonly cycles: number
  /** Scenes or test files, where some suffice. */
  readonly scenes?: string
}

/** At least one for each campaign. */
export const mutations: ReadonlyArray<Mutation> = [
  {
    campaign: "ci",
    fault: "a file whose rows end in CR is one long row",
    file: "packages/core/src/imports/csv/csvDialect.ts",
    text: 'record_delimiter: ["\\r\\n", "\\n", "\\r"]',
    replacement: 'record_delimiter: ["\\r\\n", "\\n"]',
    finds: "5xx",
    cycles: 1,
    scenes: "core/imports/csv.test.ts"
  },
  {
    campaign: "fuzz",
    fault: "memory forgets what was done under an idempotency key",
    file: "packages/memory/src/JournalMemory.ts",
    text: 'tables.set(keyStates, stateKey(record), { _tag: "Done", record })',
    replacement: "",
    finds: "doubled",
    cycles: 3_000
  },
  {
    campaign: "wire",
    fault: "a refusal does not say what to do",
    file: "packages/http/src/JsonText.ts",
    text: "appears twice in one object. Send it once.",
    replacement: "appears twice in one object",
    finds: "lost",
    cycles: 6_000
  },
  {
    campaign: "tenants",
    fault: "an offer is found by its id alone",
    file: "packages/postgres/src/offers/OffersPg.ts",
    text: "} from svc.offers where organization_id = ",
    replacement: "} from svc.offers where '' <> ",
    finds: "leaked",
    cycles: 1_000
  },
  {
    campaign: "kills",
    fault: "a message whose process was killed while it was sent is sent again",
    file: "packages/core/src/outreach/steps.ts",
    text: 'const state = { state: "ambiguous", expiresAt: null } as const',
    replacement: 'const state = { state: "queued", expiresAt: null } as const',
    finds: "doubled",
    cycles: 10
  },
  {
    campaign: "interrupts",
    fault: "what was done under an idempotency key is not kept",
    file: "packages/postgres/src/JournalPg.ts",
    text: "keys: entries.flatMap(({ idempotency }) => (idempotency === undefined ? [] : snakeKeys(idempotency)))",
    replacement: "keys: []",
    finds: "doubled",
    cycles: 4,
    scenes: "mission,hook,key"
  },
  {
    campaign: "races",
    fault: "a changed draft keeps its approval",
    file: "packages/core/src/outreach/steps.ts",
    text: "judge(life, event, { ...reviewed, variations }",
    replacement: "judge(life, event, { variations }",
    finds: "leaked",
    cycles: 60
  },
  {
    campaign: "pairs",
    fault: "leads are read for a change without their lock",
    file: "packages/postgres/src/outreach/DraftsPg.ts",
    text: 'order by l.id collate "C" for no key update',
    replacement: 'order by l.id collate "C"',
    finds: "lost",
    cycles: 1,
    scenes: "draft"
  },
  {
    campaign: "restore",
    fault: "what left after the backup is not looked for in the conversations",
    file: "packages/core/src/outreach/SendOptions.ts",
    text: "releasedAt !== null && from <= releasedAt",
    replacement: "releasedAt === from",
    finds: "doubled",
    cycles: 6
  },
  {
    campaign: "clock",
    fault: "a process with a wrong clock sends",
    file: "packages/postgres/src/outreach/SendingHoldPg.ts",
    text: "const maxSkewMillis = 60_000",
    replacement: "const maxSkewMillis = Number.POSITIVE_INFINITY",
    finds: "leaked",
    cycles: 20
  },
  {
    campaign: "failover",
    fault: "a recovered backup counts as a standby that followed its primary",
    file: "packages/core/src/outreach/decideHold.ts",
    text: "heartbeatAt <= startedAt || now",
    replacement: "now",
    finds: "leaked",
    cycles: 5
  },
  {
    campaign: "differential",
    fault: "memory lists the latest leads last",
    file: "packages/memory/src/leads/searchLeads.ts",
    text: 'sort === "recent" ? "desc" : "asc"',
    replacement: '"asc"',
    finds: "5xx",
    cycles: 4
  },
  {
    campaign: "versions",
    fault: "an offer is found by its id alone",
    file: "packages/postgres/src/offers/OffersPg.ts",
    text: "} from svc.offers where organization_id = ",
    replacement: "} from svc.offers where '' <> ",
    finds: "5xx",
    cycles: 1,
    scenes: "contract/offers.test.ts"
  },
  {
    campaign: "bouncer",
    fault: "sessions of a pooler are treated as a connection's own",
    file: "packages/postgres/src/DatabaseUrl.ts",
    text: "isPooled: pooler !== null,",
    replacement: "isPooled: false,",
    finds: "5xx",
    cycles: 1,
    scenes: "contract/offers.test.ts"
  },
  {
    campaign: "pool",
    fault: "instants are written in the time zone of the host's sessions",
    file: "packages/postgres/src/outreach/transmissionJson.ts",
    text: "at time zone 'UTC'",
    replacement: "at time zone current_setting('TimeZone')",
    finds: "5xx",
    cycles: 1,
    scenes: "contract/invitations.test.ts"
  },
  {
    campaign: "hosts",
    fault: "a public declaration needs the types of Node",
    file: "packages/core/src/imports/csv/csvDialect.ts",
    text: "): CsvParser => {",
    replacement: "): ReturnType<typeof parse> => {",
    finds: "5xx",
    cycles: 1,
    scenes: "types"
  },
  {
    campaign: "citus",
    fault: "functions keep plans that tell no shard",
    file: "packages/postgres/src/distributeDatabase.ts",
    text: "reset plan_cache_mode",
    replacement: "set plan_cache_mode = force_generic_plan",
    finds: "5xx",
    cycles: 1,
    scenes: "distribute,examples of lead"
  },
  {
    campaign: "mail",
    fault: "copies of what was sent are taken for replies",
    file: "packages/core/src/email/inbound/receiveMail.ts",
    text: 'if (yield* isOwn(mail)) return "own" as const',
    replacement: "",
    finds: "leaked",
    cycles: 60
  }
]
