/**
 * The path under which a host mounted the surface, "" for none. Frameworks such as Express take it off a request's `url` and
 * keep the whole in `originalUrl`.
 */
export const mountOf = (source: object): string => {
  const { originalUrl, url } = source as { readonly originalUrl?: unknown; readonly url?: unknown }
  return typeof originalUrl === "string" && typeof url === "string" && originalUrl.endsWith(url)
    ? originalUrl.slice(0, originalUrl.length - url.length)
    : ""
}
