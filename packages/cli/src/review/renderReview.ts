/** Draws an item under review: findings above its variations, which are side by side where they fit, and the lead beside. */
import { displayWidth } from "effect/cli/CliOutput"
import { cellOf } from "../table.ts"
import { exactLines } from "./exactText.ts"
import type { ReviewedItem, ReviewFinding, ReviewState, ReviewView, TypedFor } from "./ReviewState.ts"

/** The screen. */
interface ReviewScreen {
  readonly columns: number
  readonly rows: number
  readonly color: boolean
}

/** A drawn screen. */
interface Drawn {
  readonly text: string
  readonly scroll: number
  readonly view: ReviewView
}

const gap = 3
const narrowest = 28
const besideWidth = 38
const widestText = 72

type Paint = (code: number, text: string) => string

const pad = (text: string, width: number): string => text + " ".repeat(Math.max(0, width - displayWidth(text)))

/** Wraps one line of words at `width` columns, without control characters. */
export const wrap = (text: string, width: number): ReadonlyArray<string> =>
  exactLines(cellOf(text), width).map((line) => line.trim())

const headOf = (position: number, text: string, chosen: boolean, most: number | undefined): string => {
  const size = [...text].length
  const left = most === undefined ? `${size} characters` : `${size} characters, ${most - size} left`
  return `${chosen ? "▶" : " "} ${position + 1}  ${left}`
}

/** Blocks of lines beside each other. */
const columnsOf = (blocks: ReadonlyArray<ReadonlyArray<string>>, widths: ReadonlyArray<number>) => {
  const height = Math.max(0, ...blocks.map((block) => block.length))
  return Array.from({ length: height }, (_, row) =>
    blocks
      .map((block, index) => pad(block[row] ?? "", widths[index] ?? 0))
      .join(" ".repeat(gap))
      .trimEnd()
  )
}

interface Texts {
  readonly lines: ReadonlyArray<string>
  readonly sideBySide: boolean
}

/** The variations: all of them where they fit beside each other, otherwise the chosen one under the heads of all. */
const textsOf = (
  { maxCharacters, variations: texts }: ReviewedItem,
  selected: number,
  columns: number,
  paint: Paint
): Texts => {
  const head = (text: string, position: number) => {
    const line = wrap(headOf(position, text, position === selected, maxCharacters), columns)[0] ?? ""
    return position === selected ? paint(1, line) : line
  }
  const width = Math.floor((columns + gap) / Math.max(1, texts.length)) - gap
  if (width >= narrowest) {
    const shown = Math.min(width, widestText)
    const blocks = texts.map((text, position) => [
      head(text, position),
      ...exactLines(text, shown).map((line) => line.trimEnd())
    ])
    return {
      lines: columnsOf(
        blocks,
        texts.map(() => shown)
      ),
      sideBySide: true
    }
  }
  return {
    lines: [...texts.map(head), "", ...exactLines(texts[selected] ?? "", columns).map((line) => line.trimEnd())],
    sideBySide: false
  }
}

const colors: Readonly<Record<string, number>> = { error: 31, warning: 33 }

const findingLines = ({ findings, variations }: ReviewedItem, columns: number, paint: Paint): ReadonlyArray<string> => {
  const about = ({ variation }: ReviewFinding) =>
    variation === undefined || variations.length < 2 ? "" : ` in ${variation + 1}`
  return findings.flatMap((finding) =>
    wrap(
      `${finding.severity === "error" ? "✗ Error" : `! ${finding.severity}`}${about(finding)}: ${finding.message}${finding.hint === "" ? "" : ` ${finding.hint}`}`,
      columns
    ).map((line) => paint(colors[finding.severity] ?? 2, line))
  )
}

const hints = "a approve,1-3 choose,e edit,x reject,r rewrite,h snooze,z undo,j/k move,/ search,? help,q quit".split(
  ","
)

/** The keys below an item; a key is never parted from what it does. */
const hintLines = (columns: number): ReadonlyArray<string> =>
  exactLines(hints.map((one) => one.replace(" ", "\u00a0")).join("   "), columns).map((line) =>
    line.trimEnd().replaceAll("\u00a0", " ")
  )

const help = [
  "a      approve the marked text, and go to the next item",
  "A      send it now, after a question",
  "1-3    choose a variation; also left and right",
  "e      edit it in your editor",
  "x      reject it, with a reason for its writer",
  "r      ask the writer to rewrite it",
  "h      snooze it for some days",
  "f      flag it, or remove the flag",
  "z      undo the last decision, as long as it has not been sent",
  "j k    next, previous item",
  "/ n    search names, companies, missions and texts; next match",
  "space  scroll; also up, down, page up and page down",
  "p      the lead and the conversation",
  "q      quit",
  "",
  "A key that was pressed before an item was on the screen for 0.3 seconds decides nothing.",
  "Emails and approval requests need a twice: that can't be undone. The keys A, e, r, h and f are for messages."
]

const prompts: Readonly<Record<TypedFor, string>> = {
  search: "Search: ",
  reject: "Reject, because: ",
  rewrite: "What to change: "
}

const footOf = ({ mode, status }: ReviewState, columns: number, paint: Paint): ReadonlyArray<string> => {
  if (mode._tag === "Typing") {
    const lines = wrap(`${prompts[mode.what]}${mode.text}▏`, columns)
    return ["", ...lines.slice(-3), paint(2, wrap("Enter to confirm, Esc to go back", columns)[0] ?? "")]
  }
  const isQuestion = mode._tag === "Confirming" || mode._tag === "Snoozing"
  const strong = isQuestion ? 1 : 0
  const keys = isQuestion || mode._tag === "Conflict" ? [] : hintLines(columns).map((line) => paint(2, line))
  return [
    "",
    ...wrap(status, columns)
      .slice(0, 4)
      .map((line) => paint(strong, line)),
    ...keys
  ]
}

/** Both texts, beside each other where they fit. */
const conflictLines = (
  { isMine, left }: Extract<ReviewState["mode"], { _tag: "Conflict" }>,
  right: string,
  columns: number,
  paint: Paint
): ReadonlyArray<string> => {
  const half = Math.floor((columns - gap) / 2)
  const width = half >= narrowest ? Math.min(half, widestText) : columns
  const block = (title: string, text: string) => [
    ...wrap(title, width).map((line) => paint(1, line)),
    ...exactLines(text, width).map((line) => line.trimEnd())
  ]
  const [before, now] = [block(isMine ? "What you wrote" : "What you read", left), block("What it says now", right)]
  return half >= narrowest ? columnsOf([before, now], [width, width]) : [...before, "", ...now]
}

const headLines = (state: ReviewState, columns: number, paint: Paint): ReadonlyArray<string> => {
  const { at, decisions, item, waiting } = state
  const done = decisions.length === 0 ? "" : `, ${decisions.length} decided`
  const first = (text: string) => wrap(text, columns)[0] ?? ""
  return [
    paint(2, first(`${at + 1} of ${waiting.length}${done}`)),
    ...(item === undefined
      ? [first(waiting[at]?.label ?? "")]
      : [paint(1, first(`${item.flagged ? "⚑ " : ""}${item.lead}`)), paint(2, first(item.about))]),
    ""
  ]
}

/** A part of the lines that fits, and how much is below. */
const cut = (lines: ReadonlyArray<string>, height: number, wanted: number, paint: Paint) => {
  if (lines.length <= height) return { lines, scroll: 0, below: 0 }
  const rows = Math.max(1, height - 1)
  const scroll = Math.max(0, Math.min(wanted, lines.length - rows))
  const below = lines.length - rows - scroll
  const mark = below > 0 ? `… ${below} more ${below === 1 ? "line" : "lines"}: space` : "(end)"
  return { lines: [...lines.slice(scroll, scroll + rows), paint(2, mark)], scroll, below }
}

/** The screen as text, with at most as many lines as the screen. Findings and texts scroll; nothing of them is left out. */
export const drawReview = (state: ReviewState, { color, columns, rows }: ReviewScreen): Drawn => {
  const paint: Paint = (code, text) => (color && code > 0 && text !== "" ? `\u001b[${code}m${text}\u001b[0m` : text)
  const { item, mode, scroll, selected, waiting } = state
  const still = (lines: ReadonlyArray<string>, height = rows - 1): Drawn => ({
    text: lines.slice(0, height).join("\n"),
    scroll,
    view: { ...state.view, below: 0 }
  })
  if (mode._tag === "Help")
    return still([
      ...help.flatMap((line) => exactLines(line, columns).map((part) => part.trimEnd())),
      "",
      "Any key closes this."
    ])
  const foot = footOf(state, columns, paint)
  if (waiting.length === 0) return still(["All clear: nothing to review.", ...foot])
  const head = headLines(state, columns, paint)
  const height = Math.max(3, rows - head.length - foot.length - 1)
  if (item === undefined) return still([...head, ...foot])
  if (mode._tag === "Lead") {
    return still([...head, ...item.beside.flatMap((line) => wrap(line, columns)).slice(0, height), ...foot])
  }
  if (mode._tag === "Conflict") {
    const { below, lines, ...at } = cut(
      conflictLines(mode, item.variations[selected] ?? "", columns, paint),
      height,
      scroll,
      paint
    )
    return {
      text: [...head, ...lines, ...foot].slice(0, rows - 1).join("\n"),
      scroll: at.scroll,
      view: { ...state.view, below }
    }
  }
  const hasRoom = columns >= 2 * (besideWidth + gap) + narrowest && item.beside.length > 0
  const width = hasRoom ? columns - besideWidth - gap : columns
  const findings = [...item.above.flatMap((line) => wrap(line, width)), ...findingLines(item, width, paint)]
  const texts = textsOf(item, selected, width, paint)
  const all = [...findings, ...(findings.length === 0 ? [] : [""]), ...texts.lines]
  const body = cut(all, height, scroll, paint)
  const beside = item.beside.flatMap((line) => wrap(line, besideWidth))
  const besideCut = beside.length > height ? [...beside.slice(0, height - 1), paint(2, "… p shows all")] : beside
  const shown = hasRoom ? columnsOf([body.lines, besideCut], [width, besideWidth]) : body.lines
  return {
    text: [...head, ...shown, ...foot].slice(0, rows - 1).join("\n"),
    scroll: body.scroll,
    view: { sideBySide: texts.sideBySide, below: body.below, page: Math.max(1, height - 2) }
  }
}
