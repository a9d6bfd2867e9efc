/** The statistics of a mission as text: funnel, messages and timeline. */
import { activityKinds, type MissionStatistics } from "@svc/core/reports"
import { bar, fitted, type Screen, sparkline } from "./charts.ts"

const labelWidth = 11
const widestBar = 48
const widestLine = 100

const paint = (code: number, text: string, { color }: Screen): string =>
  color && text !== "" ? `\u001b[${code}m${text}\u001b[0m` : text

const bold = (text: string, screen: Screen): string => paint(1, text, screen)
const dim = (text: string, screen: Screen): string => paint(2, text, screen)

/** A name without control characters. */
const plain = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}]/gu, "")

const number = (value: number): string => value.toLocaleString("en")

const percent = (rate: number | null): string => (rate === null ? "" : `${Math.round(rate * 1000) / 10}%`)

const stages = (stats: MissionStatistics) =>
  [
    ["Leads", stats.leads, null, ""],
    ["Contacted", stats.contacted, stats.rates.contacted, "of leads"],
    ["Replied", stats.replied, stats.rates.replied, "of contacted"],
    ["Positive", stats.positive, stats.rates.positive, "of replied"],
    ["Meetings", stats.meetings, stats.positive === 0 ? null : stats.meetings / stats.positive, "of positive"]
  ] as const

const funnel = (stats: MissionStatistics, screen: Screen): ReadonlyArray<string> => {
  const rows = stages(stats)
  const max = Math.max(...rows.map(([, count]) => count))
  const countWidth = Math.max(...rows.map(([, count]) => number(count).length))
  const barWidth = Math.max(8, Math.min(widestBar, screen.width - labelWidth - countWidth - 24))
  return rows.map(([label, count, rate, of]) => {
    const drawn = bar(max === 0 ? 0 : count / max, barWidth, screen)
    const share = rate === null ? "" : dim(`${percent(rate)} ${of}`, screen)
    const gap = " ".repeat(barWidth - drawn.length)
    const line = `${label.padEnd(labelWidth)} ${number(count).padStart(countWidth)}  ${paint(36, drawn, screen)}${gap}  ${share}`
    return line.trimEnd()
  })
}

const traffic = (stats: MissionStatistics): ReadonlyArray<string> => {
  const { drafts, rates } = stats
  const accepted = rates.invitations_accepted === null ? "" : ` (${percent(rates.invitations_accepted)})`
  const rows: ReadonlyArray<readonly [string, string]> = [
    [
      "Invitations",
      `${number(stats.invitations_sent)} sent, ${number(stats.invitations_accepted)} accepted${accepted}`
    ],
    ["Messages", `${number(stats.messages_sent)} sent, ${number(stats.messages_received)} received`],
    [
      "Drafts",
      `${number(drafts.PENDING_REVIEW)} to review, ${number(drafts.READY_TO_SEND)} approved, ` +
        `${number(drafts.DISPATCHED)} sent, ${number(drafts.CANCELLED)} cancelled`
    ]
  ]
  return rows.map(([label, text]) => `${label.padEnd(labelWidth)} ${text}`)
}

const lines = [
  ["Added", "leads"],
  ["Contacted", "contacted"],
  ["Replied", "replied"],
  ["Sent", "messages_sent"],
  ["Received", "messages_received"]
] as const

const timeline = (stats: MissionStatistics, screen: Screen): ReadonlyArray<string> => {
  const { series } = stats
  const [first] = series
  const last = series.at(-1)
  if (first === undefined || last === undefined) return [dim("No activity in this period.", screen)]
  const width = Math.max(8, Math.min(widestLine, screen.width - labelWidth - 16))
  const size = Math.max(1, Math.ceil(series.length / width))
  const unit = size === 1 ? stats.group_by : `${size} ${stats.group_by}s`
  const rows = lines.map(([label, kind]) => {
    const values = fitted(
      series.map((period) => period[kind]),
      width
    )
    const max = Math.max(...values)
    const drawn = sparkline(values, screen)
    return `${label.padEnd(labelWidth)} ${paint(36, drawn, screen)}  ${dim(`peak ${number(max)}`, screen)}`
  })
  const span = first.period === last.period ? first.period : `${first.period} to ${last.period}`
  return [bold(`By ${unit}, ${span}`, screen), ...rows]
}

const spanOf = ({ from, to }: MissionStatistics): string => {
  if (from === null && to === null) return "over all time"
  return [from === null ? "" : `from ${from.slice(0, 10)}`, to === null ? "" : `before ${to.slice(0, 10)}`]
    .join(" ")
    .trim()
}

/** The whole report. */
export const renderReport = (stats: MissionStatistics, screen: Screen): string => {
  const { handle, name, status } = stats.mission
  return [
    `${bold(plain(name), screen)}  ${status}  ${dim(`${handle}, ${spanOf(stats)}`, screen)}`,
    "",
    ...funnel(stats, screen),
    "",
    ...traffic(stats),
    "",
    ...timeline(stats, screen)
  ].join("\n")
}

/** The series as tab-separated values with a header. */
export const renderTsv = ({ series }: MissionStatistics): string => {
  const names = ["period", ...activityKinds] as const
  return [names.join("\t"), ...series.map((period) => names.map((name) => period[name]).join("\t"))].join("\n")
}
