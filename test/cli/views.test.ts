/** What people see on a terminal: tables, details, help. All of it is functions of texts. */
import { assert, describe, it } from "@effect/vitest"
import { displayWidth } from "effect/cli/CliOutput"
import * as fc from "fast-check"
import { renderTable } from "#cli/table.ts"
import { wrapHelp } from "#cli/usageText.ts"
import { columnsFor, relativeTime } from "#cli/view/columns.ts"
import { detailView } from "#cli/view/detail.ts"

const now = Date.parse("2026-11-23T12:00:00Z")
const page = { width: 60, now, color: false }

describe("tables on a terminal", () => {
  const columns = ["name", "company", "status", "updated_at", "lead_id"]
  const rows = [
    ["Wilhelmina van der Bijl-Hartenstein", "Stichting Oostelijk Havengebied", "DoNotContact", "2026-11-21T12:00:00Z"],
    ["Ada Lovelace", "Engines", "New", "2026-11-23T11:15:00Z"]
  ].map((row, index) => [...row, `ld_01M83PXF132P9YEHF8Q15K0T7${index}`])

  it("shorten ids first and keep names, states and times readable", () => {
    const [header = "", first = ""] = renderTable(columns, rows, { width: 84, now }).split("\n")
    assert.deepStrictEqual(header.split(/\s{2,}/), ["NAME", "COMPANY", "STATUS", "UPDATED", "LEAD ID"])
    assert.match(first, /^Wilhelmina van der .{5,}/)
    assert.include(first, "DoNotContact")
    assert.include(first, "2d ago")
    assert.match(first, /ld_…\w+0T70$/)
  })

  it("never cut a name to less than 24 columns: the last columns are left out instead", () => {
    for (let width = 30; width < 140; width++) {
      const [, first = ""] = renderTable(columns, rows, { width, now }).split("\n")
      assert.include(first, "Wilhelmina van der Bijl", String(width))
      assert.isAtMost(displayWidth(first), width)
    }
  })

  it("color states, and nothing in a pipe, which gets times and ids as they are", () => {
    const colored = renderTable(columns, rows, { width: 200, now, color: true })
    assert.include(colored, "\u001b[31mDoNotContact\u001b[0m")
    assert.include(colored, "\u001b[33mNew\u001b[0m")
    const piped = renderTable(columns, rows, { width: undefined, now, color: true }).split("\n")
    assert.strictEqual(piped[1], "Ada Lovelace\tEngines\tNew\t2026-11-23T11:15:00Z\tld_01M83PXF132P9YEHF8Q15K0T71")
  })

  it("show rates with their intervals", () => {
    const rates = { accepted: null, replied: { rate: 0.25, low: 0.1682, high: 0.3571 } }
    const rows = [{ step: 1, contacted: 80, sent: 90, invited: 0, rates }]
    const shown = columnsFor("steps", rows)
    const [, line] = renderTable(
      shown,
      rows.map((row) => [row.step, row.contacted, row.sent, null, rates.replied]),
      {
        width: 80,
        now
      }
    ).split("\n")
    assert.deepStrictEqual(shown, ["step", "contacted", "sent", "rates.accepted", "rates.replied"])
    assert.match(line ?? "", /^1 +80 +90 +25% \(17-36%\)$/)
  })

  it("have names first and ids last", () => {
    assert.deepStrictEqual(columnsFor("others", [{ thing_id: "x", size: 1, name: "a" }]), ["name", "size", "thing_id"])
    assert.deepStrictEqual(columnsFor("events", [{ created_at: "", type: "", data: {} }]), [
      "created_at",
      "type",
      "data"
    ])
  })
})

describe("tables whose last column is prose", () => {
  it("wrap it in its column, and keep the names of commands whole", () => {
    const rows = [["linkedin.draft.request-rewrite", "mutate", "Request other texts from the writer of a draft"]]
    const columns = ["command_id", "risk", "summary"]
    assert.deepStrictEqual(renderTable(columns, rows, { width: 66 }, { prose: true }).split("\n"), [
      "COMMAND ID                      RISK    SUMMARY",
      "linkedin.draft.request-rewrite  mutate  Request other texts from",
      "                                        the writer of a draft"
    ])
    assert.deepStrictEqual(renderTable(columns, rows, { width: 50 }, { prose: true }).split("\n"), [
      "COMMAND ID                      RISK    SUMMARY",
      "linkedin.draft.request-rewrite  mutate",
      "      Request other texts from the writer of a",
      "      draft"
    ])
    assert.include(renderTable(columns, rows, { width: 60 }), "\nlinkedin.draft.", "cut at its end, unlike an id")
  })
})

describe("details on a terminal", () => {
  it("align labels, wrap texts, show times relatively and ids last, and leave out what is empty", () => {
    const text = detailView(
      {
        draft_id: "drf_1",
        name: "First message",
        status: "PENDING_REVIEW",
        score: 0,
        company: "",
        tags: [],
        is_flagged: true,
        created_at: "2026-11-20T12:00:00.000Z",
        leads: { New: 6, Waiting: 1, Replied: 0 },
        agent: { agent_id: "agt_1", name: "Ada Martin" },
        note: "one two three four five six seven eight nine ten eleven twelve",
        brief: { tone_instructions: "Short.\nKind.", cta_url: null }
      },
      page
    )
    assert.deepStrictEqual(text.split("\n"), [
      "Name        First message",
      "Status      PENDING_REVIEW",
      "Score       0",
      "Is flagged  yes",
      "Leads       6 New, 1 Waiting",
      "Agent       Ada Martin (agt_1)",
      "Note        one two three four five six seven eight nine ten",
      "            eleven twelve",
      "Created     3d ago (2026-11-20 12:00Z)",
      "Draft ID    drf_1",
      "",
      "Brief",
      "  Tone instructions  Short.",
      "                     Kind."
    ])
  })

  it("never cut a text, and never hold what moves a cursor", () => {
    const long = "A text that is longer than a column of a table would be, and that somebody wants to read."
    assert.include(detailView({ variations: [{ body_text: long }] }, { ...page, width: 200 }), long)
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 5 }), (value) => {
        for (const line of detailView(value, page).split("\n")) assert.notMatch(line, /\p{Cc}/u)
      })
    )
  })

  it("never break what is copied: a key or a URL stays on one line", () => {
    const key = `svc_live_${"k".repeat(62)}E`
    assert.strictEqual(
      detailView({ api_key: key, key_id: "k1" }, { ...page, width: 80 }).split("\n")[0],
      `API key  ${key}`
    )
  })

  it("tell the past from the future", () => {
    const cases = [
      ["2026-11-23T11:59:40Z", "just now"],
      ["2026-11-23T12:00:20Z", "in <1m"],
      ["2026-11-23T09:00:00Z", "3h ago"],
      ["2026-11-25T12:00:00Z", "in 2d"],
      ["2024-11-23T12:00:00Z", "2y ago"],
      ["soon", undefined]
    ] as const
    for (const [time, text] of cases) assert.strictEqual(relativeTime(time, now), text)
  })
})

describe("help on a terminal", () => {
  it("wraps descriptions in their column", () => {
    assert.strictEqual(
      wrapHelp("  --limit integer   Page size, one to a hundred, or the default", 40),
      "  --limit integer   Page size, one to a\n                    hundred, or the\n                    default"
    )
    assert.strictEqual(wrapHelp("DESCRIPTION\n  one two three", 10), "DESCRIPTION\n  one two\n  three")
  })
})
