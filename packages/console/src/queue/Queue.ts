/** What the URL says of the review queue: its tab and its filters. Pure. */
import type { Query } from "../place/route.ts"
import type { Filters, Tab } from "../service/shapes.ts"

/** The tabs, in their order. */
export const reviewTabs: ReadonlyArray<readonly [Tab, string]> = [
  ["to_review", "To review"],
  ["approved", "Approved"],
  ["sent", "Sent"],
  ["replies", "Replies"],
  ["problems", "Problems"],
  ["snoozed", "Snoozed"]
]

const texts = ["mission_id", "agent_handle", "finding", "query"] as const

/** The tab and the filters of a query; what is not known is left out. */
export const readQuery = (query: Query): readonly [Tab, Filters] => {
  const [tab = "to_review"] = reviewTabs.find(([name]) => name === query["tab"]) ?? []
  const { flagged, kind, min_score } = query
  const given = texts.flatMap((name) => (query[name] === undefined ? [] : [[name, query[name]]]))
  return [
    tab,
    {
      ...(Object.fromEntries(given) as Filters),
      ...(kind === undefined ? {} : { kind: [kind as NonNullable<Filters["kind"]>[number]] }),
      ...(flagged === "true" ? { flagged: true } : {}),
      ...(Number.isFinite(Number(min_score ?? Number.NaN)) ? { min_score: Number(min_score) } : {})
    }
  ]
}
