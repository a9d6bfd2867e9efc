/** A text with one character changed: in the middle, since the last one of base64 may mean nothing. */
export const mistyped = (text: string): string => {
  const at = Math.floor(text.length / 2)
  return `${text.slice(0, at)}${text.charAt(at) === "x" ? "y" : "x"}${text.slice(at + 1)}`
}
