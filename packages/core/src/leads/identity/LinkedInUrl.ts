/**
 * Splitting a pasted LinkedIn URL, even a mangled one.
 *
 * Not with a general URL parser, since half of the values are not valid URLs (no scheme, no host, doubled schemes, missing
 * slashes). The URL is never fetched; the host must be one that LinkedIn serves profiles from.
 */

/** Path segments as written, and the query without its question mark. */
export interface LinkedInUrl {
  readonly segments: ReadonlyArray<string>
  readonly query: string
}

const host = /^(?:(?:www|m|[a-z]{2})\.)?linkedin\.com\.?(?::[0-9]{1,5})?$/i

/**
 * Splits a URL. Scheme (`http`, `https`, `linkedin:`; also doubled or with wrong slashes), LinkedIn host and the mobile
 * site's `mwlite` are optional. Another host becomes the first segment, which no route knows. The text must come from
 * `cleanPasted`.
 */
export const splitLinkedInUrl = (text: string): LinkedInUrl => {
  const pathEnd = text.search(/[?#]/)
  const path = (pathEnd === -1 ? text : text.slice(0, pathEnd)).replaceAll("\\", "/")
  const query = pathEnd !== -1 && text[pathEnd] === "?" ? (text.slice(pathEnd + 1).split("#", 1)[0] ?? "") : ""
  const segments = path
    .replace(/^(?:https?[:/]|linkedin:|[:/])*/i, "")
    .split("/")
    .filter((segment) => segment !== "")
  if (host.test(segments[0] ?? "")) segments.shift()
  if (segments[0]?.toLowerCase() === "mwlite") segments.shift()
  return { segments, query }
}
