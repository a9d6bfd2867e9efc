/** Where the page is: everything is found from its own URL, so that it works below any path. */

const place = /\/review(?:\/d\/([^/]+))?\/?$/

/** The path of the service, without a slash at the end. */
export const basePath = (pathname: string): string => pathname.replace(place, "")

/** The item of a deep link; undefined without one. */
export const linkedItem = (pathname: string): string | undefined => {
  const id = place.exec(pathname)?.[1]
  return id === undefined ? undefined : decodeURIComponent(id)
}

/** The path of the page, or of one item. */
export const pagePath = (base: string, itemId?: string): string =>
  itemId === undefined ? `${base}/review` : `${base}/review/d/${encodeURIComponent(itemId)}`
