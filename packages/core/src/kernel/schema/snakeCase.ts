/** The names that surfaces and tables have for fields. */

/** `job_title` for `jobTitle`. */
export type SnakeCase<S extends string> = S extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : S

/** `job_title` for `jobTitle`. */
export const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

type SnakeKeys<A> = { [K in keyof A & string as SnakeCase<K>]: A[K] }

/** What may be written to a record: its fields in snake_case. */
type WriteOf<A> = { readonly [K in keyof A & string as SnakeCase<K>]?: A[K] | null | undefined }

/** A record after a write: absent fields stay, and null clears a field, which then is as in `empty`. */
export const written = <A extends object>(before: A, write: WriteOf<A>, empty: A): A => {
  const sent: Readonly<Record<string, unknown>> = { ...write }
  const fields = Object.entries(empty).map(([name, cleared]) => {
    const value = sent[snakeCase(name)]
    return [name, value === undefined ? Reflect.get(before, name) : (value ?? cleared)]
  })
  return Object.fromEntries(fields)
}

/** A copy of a record with the names in snake_case; nested records stay as they are. */
export const snakeKeys = <A extends object>(record: A): SnakeKeys<A> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [snakeCase(name), value])) as SnakeKeys<A>

/** These fields of a record, in this order, with the names in snake_case. */
export const snakeFields = <A extends object, const Name extends keyof A & string>(
  record: A,
  names: ReadonlyArray<Name>
): SnakeKeys<Pick<A, Name>> =>
  Object.fromEntries(names.map((name) => [snakeCase(name), record[name]])) as SnakeKeys<Pick<A, Name>>

type CamelCase<S extends string> = S extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : S

/** `jobTitle` for `job_title`. */
export const camelCase = (name: string): string =>
  name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** A record with the names in camelCase. */
export type CamelKeys<A> = { [K in keyof A & string as CamelCase<K>]: A[K] }

/** A copy of an input with the names in camelCase. */
export const camelKeys = <A extends object>(input: A): CamelKeys<A> =>
  Object.fromEntries(Object.entries(input).map(([name, value]) => [camelCase(name), value])) as CamelKeys<A>
