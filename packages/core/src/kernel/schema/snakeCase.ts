/** The names that surfaces and tables have for fields. */

/** `job_title` for `jobTitle`. */
export type SnakeCase<S extends string> = S extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : S

/** `job_title` for `jobTitle`. */
export const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

type SnakeKeys<A> = { [K in keyof A & string as SnakeCase<K>]: A[K] }

/** A copy of a record with the names in snake_case; nested records stay as they are. */
export const snakeKeys = <A extends object>(record: A): SnakeKeys<A> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [snakeCase(name), value])) as SnakeKeys<A>
