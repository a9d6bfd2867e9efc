/**
 * The URL in a text; undefined if it is none. `URL.canParse` will not do: in Node 20 and 22 it refuses every text with a letter
 * such as ü as soon as the engine has optimized the caller.
 */
export const parseUrl = (text: string): URL | undefined => {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}

/** Whether a host of a URL or a setting is this machine. */
export const isLoopback = (host: string): boolean => /^(?:localhost|\[::1\]|::1|127(?:\.[0-9]{1,3}){3})$/i.test(host)
