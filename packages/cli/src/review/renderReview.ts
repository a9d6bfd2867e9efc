/** Draws a draft under review: its variations side by side where they fit. */
import { displayWidth } from "effect/cli/CliOutput"
import { cellOf } from "../table.ts"
import type { ReviewState } from "./ReviewState.ts"

/** The screen. */
interface ReviewScreen {
  readonly columns: number
  readonly rows: number
  readonly color: boolean
}

const gap = 3
const narrowest = 28

const pad = (text: string, width: number): string => text + " ".repeat(Math.max(0, width - displayWidth(text)))

const pieces = (word: string, width: number): ReadonlyArray<string> => {
  const cut: Array<string> = [""]
  for (const sign of word) {
    const last = cut.at(-1) ?? ""
    if (displayWidth(last + sign) > width) cut.push(sign)
    else cut[cut.length - 1] = last + sign
  }
  return cut
}

/** Wraps a text at `width` columns, without control characters. */
export const wrap = (text: string, width: number): ReadonlyArray<string> =>
  text.split(/\r\n|[\n\r\u2028\u2029]/).flatMap((line) => {
    const lines: Array<string> = []
    let current = ""
    for (const word of cellOf(line)
      .split(" ")
      .flatMap((long) => pieces(long, width))) {
      const longer = current === "" ? word : `${current} ${word}`
      if (displayWidth(longer) <= width) current = longer
      else {
        lines.push(current)
        current = word
      }
    }
    return [...lines, current]
  })

const headOf = (position: number, text: string, chosen: boolean): string =>
  `${chosen ? "▶" : " "} ${position + 1}  ${[...text].length} characters`

const sideBySide = (
  texts: ReadonlyArray<string>,
  selected: number,
  columns: number,
  bold: (text: string) => string
) => {
  const fits = Math.floor((columns + gap) / texts.length) - gap >= narrowest
  const width = fits ? Math.floor((columns + gap) / texts.length) - gap : columns
  const blocks = texts.map((text, position) => [headOf(position, text, position === selected), ...wrap(text, width)])
  const shown = (line: string, row: number, position: number) =>
    row === 0 && position === selected ? bold(line) : line
  if (!fits) return blocks.flatMap((block, position) => [...block.map((line, row) => shown(line, row, position)), ""])
  const height = Math.max(...blocks.map((block) => block.length))
  return Array.from({ length: height }, (_, row) =>
    blocks
      .map((block, position) => shown(pad(block[row] ?? "", width), row, position))
      .join(" ".repeat(gap))
      .trimEnd()
  )
}

const keys = "a approve   1-3 or ←→ choose   e edit   x cancel   u undo   n/p next, previous   q quit"

/** The screen as text, with at most as many lines as the screen. */
export const renderReview = (state: ReviewState, { color, columns, rows }: ReviewScreen): string => {
  const bold = (text: string) => (color ? `\u001b[1m${text}\u001b[0m` : text)
  const dim = (text: string) => (color ? `\u001b[2m${text}\u001b[0m` : text)
  const { at, decisions, draft, status, selected, waiting } = state
  const done = decisions.length === 0 ? "" : `, ${decisions.length} decided`
  const foot = ["", ...wrap(status, columns).slice(0, 2), ...wrap(keys, columns).map(dim)]
  if (waiting.length === 0) return ["No drafts to review.", ...foot].join("\n")
  const head = [
    dim(`${at + 1} of ${waiting.length}${done}`),
    ...(draft === undefined
      ? ["…"]
      : [bold(wrap(draft.lead, columns)[0] ?? ""), dim(wrap(draft.about, columns)[0] ?? "")]),
    ""
  ]
  const texts = draft === undefined ? [] : sideBySide(draft.variations, selected, columns, bold)
  const findings = (draft?.findings ?? []).flatMap((finding) => wrap(`! ${finding}`, columns))
  const body = findings.length === 0 ? texts : [...texts, "", ...findings]
  const height = Math.max(3, rows - head.length - foot.length - 1)
  const cut =
    body.length > height
      ? [...body.slice(0, height - 1), dim(wrap("… press e to see all of it", columns)[0] ?? "")]
      : body
  return [...head, ...cut, ...foot].join("\n")
}
