/** The words of a command on the command line. */

/** Nouns of the catalogue that the command line has in the plural, where operators have commands of the same noun. */
const plurals: Readonly<Record<string, string>> = { event: "events", key: "keys", webhook: "webhooks" }

/** `linkedin draft approve` for `linkedin.draft.approve`; `webhooks list` for `webhook.list`. */
export const commandWords = (id: string): ReadonlyArray<string> => {
  const [first = "", ...rest] = id.split(".")
  return [plurals[first] ?? first, ...rest]
}

/** The arguments with the noun that the command line uses: `svc key list` is `svc keys list`. */
export const withPlurals = ([first, ...rest]: ReadonlyArray<string>): ReadonlyArray<string> =>
  first === undefined ? [] : [plurals[first] ?? first, ...rest]
