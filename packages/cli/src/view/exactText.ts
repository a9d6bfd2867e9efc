/** Texts exactly as they will be sent, as lines of a terminal. */
import { displayWidth } from "effect/cli/CliOutput"

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" })

const sequence = "\\p{RGI_Emoji}"

/** An emoji of one or several characters. */
const emoji = new RegExp(`^${sequence}$`, "v")

/** A grapheme as it is shown: characters that could control the terminal or hide in the text show as �. */
const visible = (grapheme: string): string => {
  if (grapheme === "\t") return "    "
  return emoji.test(grapheme) ? grapheme : grapheme.replaceAll(/\p{C}/gu, "\ufffd")
}

const trailing = (line: string): string => line.replace(/ +$/, (spaces) => "·".repeat(spaces.length))

const wrapLine = (line: string, width: number): ReadonlyArray<string> => {
  const lines: Array<string> = []
  let current = ""
  let used = 0
  // Where the current line may be broken: after its last space.
  let space = 0
  for (const { segment } of graphemes.segment(line)) {
    const shown = visible(segment)
    const wide = displayWidth(shown)
    // A space at the end of a line takes no room.
    if (used + wide > width && current !== "" && shown !== " ") {
      const end = space === 0 ? current.length : space
      lines.push(current.slice(0, end))
      current = current.slice(end)
      used = displayWidth(current)
      space = 0
    }
    current += shown
    used += wide
    if (shown.endsWith(" ")) space = current.length
  }
  return [...lines, current]
}

/**
 * Wraps a text at `width` columns without changing its white space or splitting an emoji; a line that is wrapped may end
 * with spaces beyond the width. Spaces at the end of a line show
 * as `·`; characters that could control the terminal show as `�`.
 */
export const exactLines = (text: string, width: number): ReadonlyArray<string> =>
  text.split(/\r\n|[\n\r\u2028\u2029]/).flatMap((line) => wrapLine(trailing(line), width))
