/** `svc report`: the drawing by itself, and a run against a server. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { bar, fitted, sparkline } from "#cli/report/charts.ts"
import { renderReport, renderTsv } from "#cli/report/renderReport.ts"
import type { MissionStatistics } from "#core/reports/statistics/MissionStatistics.ts"
import { svcInProcess as svc } from "../support/svcInProcess.ts"
import { oneJson, type RunningSvc, startSvc } from "../support/svcProcess.ts"

const unicode = { unicode: true, color: false, width: 80 }
const ascii = { unicode: false, color: false, width: 80 }

describe("charts", () => {
  it("draw bars to an eighth of a column, and something for whatever is not nothing", () => {
    assert.strictEqual(bar(1, 4, unicode), "████")
    assert.strictEqual(bar(0.5, 3, unicode), "█▌")
    assert.strictEqual(bar(0.0001, 8, unicode), "▏")
    assert.strictEqual(bar(0, 8, unicode), "")
    assert.strictEqual(bar(0.0001, 8, ascii), "#")
    assert.strictEqual(bar(2, 4, ascii), "####")
  })

  it("draw sparklines from the smallest to the largest", () => {
    assert.strictEqual(sparkline([0, 1, 2, 4, 8], unicode), " ▁▂▄█")
    assert.strictEqual(sparkline([0, 1, 8], ascii), " .@")
    assert.strictEqual(sparkline([], unicode), "")
    assert.strictEqual(sparkline([0, 0], unicode), "  ")
  })

  it("fit any series into any width without losing anything", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(1000), { maxLength: 400 }), fc.integer({ min: 1, max: 120 }), (values, width) => {
        const sum = (list: ReadonlyArray<number>) => list.reduce((total, value) => total + value, 0)
        const fit = fitted(values, width)
        assert.isAtMost(fit.length, width)
        assert.strictEqual(sum(fit), sum(values))
        assert.strictEqual(sparkline(fit, unicode).length, fit.length)
      })
    )
  })
})

const period = (day: string, counts: Partial<MissionStatistics["series"][number]>) => ({
  period: day,
  leads: 0,
  contacted: 0,
  replied: 0,
  positive: 0,
  meetings: 0,
  invitations_sent: 0,
  invitations_accepted: 0,
  messages_sent: 0,
  messages_received: 0,
  ...counts
})

const stats: MissionStatistics = {
  mission: { mission_id: "mis_1", handle: "spring", name: "Spring\u001b[31m", status: "ACTIVE" },
  from: null,
  to: null,
  group_by: "day",
  leads: 1200,
  contacted: 600,
  replied: 60,
  positive: 6,
  meetings: 3,
  invitations_sent: 40,
  invitations_accepted: 10,
  messages_sent: 700,
  messages_received: 80,
  drafts: { PENDING_REVIEW: 2, READY_TO_SEND: 1, DISPATCHED: 590, CANCELLED: 4 },
  rates: { contacted: 0.5, replied: 0.1, positive: 0.1, invitations_accepted: 0.25 },
  series: [period("2026-11-16", { leads: 1200 }), period("2026-11-17", { contacted: 600, messages_sent: 700 })]
}

describe("the report", () => {
  it("shows funnel, traffic and periods; what a terminal would obey is left out", () => {
    const lines = renderReport(stats, unicode).split("\n")
    assert.strictEqual(lines[0], "Spring[31m  ACTIVE  spring, over all time")
    assert.match(lines[2] ?? "", /^Leads {7}1,200 {2}█+$/)
    assert.match(lines[3] ?? "", /^Contacted {5}600 {2}█+ +50% of leads$/)
    assert.match(lines[6] ?? "", /^Meetings {8}3 {2}▏ +50% of positive$/)
    assert.strictEqual(lines[8], "Invitations 40 sent, 10 accepted (25%)")
    assert.strictEqual(lines[10], "Drafts      2 to review, 1 approved, 590 sent, 4 cancelled")
    assert.strictEqual(lines[12], "By day, 2026-11-16 to 2026-11-17")
    assert.strictEqual(lines[13], "Added       █   peak 1,200")
    assert.strictEqual(lines[14], "Contacted    █  peak 600")
    for (const line of lines) assert.isAtMost(line.length, 80)
  })

  it("is plain ASCII where the terminal is dumb, and coloured only where it may be", () => {
    assert.match(renderReport(stats, ascii), /^[\n\x20-\x7e]+$/)
    assert.include(renderReport(stats, { ...unicode, color: true }), "\u001b[1m")
    assert.notInclude(renderReport(stats, unicode), "\u001b")
  })

  it("of an empty mission has no bars and no periods", () => {
    const none = { ...stats, leads: 0, contacted: 0, replied: 0, positive: 0, meetings: 0, series: [] }
    const text = renderReport(none, unicode)
    assert.notMatch(text, /[█▏]/)
    assert.include(text, "No activity in this period.")
  })

  it("as TSV has a line for each period under the names", () => {
    assert.deepStrictEqual(renderTsv(stats).split("\n"), [
      "period\tleads\tcontacted\treplied\tpositive\tmeetings\tinvitations_sent\tinvitations_accepted\tmessages_sent\tmessages_received",
      "2026-11-16\t1200\t0\t0\t0\t0\t0\t0\t0\t0",
      "2026-11-17\t0\t600\t0\t0\t0\t0\t0\t700\t0"
    ])
  })
})

describe("svc report", { timeout: 120_000 }, () => {
  let server: RunningSvc
  let env: Readonly<Record<string, string>>
  beforeAll(async () => {
    server = await startSvc(["dev", "--sample"], { env: { SVC_DATABASE_URL: "memory:", SVC_RATE_LIMIT: "0" } })
    env = { SVC_BASE_URL: server.url, SVC_API_KEY: String(server.ready["api_key"]) }
  })
  afterAll(() => server.stop())

  it("draws the mission of a server, without colour in a pipe", async () => {
    const ran = await svc(["report", "spring-outreach"], { env })
    assert.deepStrictEqual([ran.code, ran.stderr], [0, ""])
    assert.match(ran.stdout, /^Spring outreach {2}ACTIVE {2}spring-outreach, over all time\n\nLeads +5 {2}█+\n/)
    const dumb = await svc(["report", "spring-outreach"], { env: { ...env, TERM: "dumb" } })
    assert.match(dumb.stdout, /^[\n\x20-\x7e]+$/)
    const coloured = await svc(["report", "spring-outreach"], { env: { ...env, FORCE_COLOR: "1" } })
    assert.include(coloured.stdout, "\u001b[1m")
    const plain = await svc(["report", "spring-outreach"], { env: { ...env, FORCE_COLOR: "1", NO_COLOR: "1" } })
    assert.notInclude(plain.stdout, "\u001b")
  })

  it("prints the service's answer with --json, rows with --tsv, and refusals with their exit codes", async () => {
    const json = oneJson(await svc(["report", "spring-outreach", "--group-by", "week", "--json"], { env }))
    assert.deepInclude(Object(json["data"]).stats, { leads: 5, group_by: "week" })
    const tsv = await svc(["report", "spring-outreach", "--tsv"], { env })
    assert.match(tsv.stdout, /^period\tleads\t.*\n\d{4}-\d\d-\d\d\t5\t0\t/)
    const missing = await svc(["report", "nope"], { env })
    assert.deepStrictEqual([missing.code, missing.stdout], [4, ""])
    assert.include(missing.stderr, "[NOT_FOUND]")
    const backwards = ["report", "spring-outreach", "--from", "2026-11-02", "--to", "2026-11-01", "--json"]
    const refused = await svc(backwards, { env })
    assert.strictEqual(refused.code, 2)
    assert.strictEqual(Object(oneJson(refused)["error"]).code, "INVALID_INPUT")
  })
})
