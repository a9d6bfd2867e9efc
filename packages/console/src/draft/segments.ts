/** A text cut where findings begin and end, so that their words can be underlined. Pure. */
import type { Finding } from "../service/shapes.ts"

type Range = Pick<Finding, "start" | "end" | "severity">

const order = ["error", "warning", "info"] as const

/** The parts, which together are the text. Their `severity` is the worst of what is found there. */
export const segmentsOf = (text: string, findings: ReadonlyArray<Range>) => {
  const ranges = findings.flatMap(({ end, severity, start }) =>
    start === null || end === null || start >= end ? [] : [{ start, end: Math.min(end, text.length), severity }]
  )
  const cuts = [...new Set([0, text.length, ...ranges.flatMap(({ end, start }) => [start, end])])]
    .filter((cut) => cut <= text.length)
    .toSorted((a, b) => a - b)
  return cuts.slice(0, -1).map((start, index) => {
    const end = cuts[index + 1] ?? text.length
    const covering = ranges.filter((range) => range.start <= start && range.end >= end)
    return {
      text: text.slice(start, end),
      severity: order.find((severity) => covering.some((range) => range.severity === severity))
    }
  })
}
