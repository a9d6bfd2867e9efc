/** HTML as text: everything that is not markup of this package is escaped. */

/** Markup. */
export interface Html {
  readonly markup: string
}

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
}

/** The text with nothing that HTML understands. */
export const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => escapes[sign] ?? sign)

type Part = Html | string | number | undefined | ReadonlyArray<Html>

const markupOf = (part: Part): string => {
  if (part === undefined) return ""
  if (typeof part === "string" || typeof part === "number") return escapeHtml(String(part))
  return "markup" in part ? part.markup : part.map(({ markup }) => markup).join("")
}

/** Markup with values in it. */
export const html = (texts: TemplateStringsArray, ...parts: ReadonlyArray<Part>): Html => ({
  markup: texts.map((text, index) => text + markupOf(parts[index])).join("")
})

/** Prose with `code` in backticks, one paragraph for each blank line. */
export const prose = (text: string): ReadonlyArray<Html> =>
  text
    .split(/\n\n+/)
    .map(
      (paragraph) =>
        html`<p>${paragraph.split("`").map((piece, index) => (index % 2 === 1 ? html`<code>${piece}</code>` : html`${piece}`))}</p>`
    )
