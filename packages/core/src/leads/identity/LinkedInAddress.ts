/**
 * Takes a pasted LinkedIn address apart, however it was mangled on the way.
 *
 * No general URL parser is used: half of the values that arrive are not URLs (no scheme, no host, doubled schemes,
 * missing slashes), and the host is compared with the few that LinkedIn serves profiles from, never fetched.
 *
 * Source: G14, G16.
 */

/** The parts of an address that matter: path segments as written, and the query without its question mark. */
export interface LinkedInAddress {
  readonly segments: ReadonlyArray<string>
  readonly query: string
}

const host = /^(?:(?:www|m|[a-z]{2})\.)?linkedin\.com\.?(?::[0-9]{1,5})?$/i

/**
 * Splits an address. It may have a scheme (`http`, `https`, `linkedin:` of the mobile app, also doubled or with wrong
 * slashes), may name a LinkedIn host or none, and the path may start with the mobile site's `mwlite`. What names another
 * host keeps that host as its first segment, which no route knows. The text must come from `cleanPasted`.
 */
export const splitAddress = (text: string): LinkedInAddress => {
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
