/** Lists page by page. */

/** A method that returns a page and takes the cursor of the next one. */
type List<Input, Output, O> = (input: Input, options?: O) => Promise<Output>

/** The input of a list. */
interface Cursor {
  readonly cursor?: string
}

/** A page of a list. `next_cursor` is null on the last one. */
interface Page {
  readonly next_cursor: string | null
}

/** The names of the lists in a page. */
type ListNames<Output> = {
  [Name in keyof Output]-?: Output[Name] extends ReadonlyArray<unknown> ? Name : never
}[keyof Output]

type IsUnion<T, All = T> = T extends unknown ? ([All] extends [T] ? false : true) : never

/** An item of a page that has one list; never if it has several. */
export type ItemOf<Output> =
  IsUnion<ListNames<Output>> extends false
    ? Output[ListNames<Output>] extends ReadonlyArray<infer Item>
      ? Item
      : never
    : never

/**
 * The pages of a list, beginning at the input's cursor: `for await (const page of pages(svc.leads.search, {}))`. Each page
 * is read when it is asked for. Rejects with `SvcError` if one cannot be read.
 */
export async function* pages<Input extends Cursor, Output extends Page, O>(
  list: List<Input, Output, O>,
  input: Input,
  options?: NoInfer<O>
): AsyncGenerator<Output, void, undefined> {
  let cursor: string | null | undefined = input.cursor
  do {
    const page: Output = await list(cursor === undefined ? input : { ...input, cursor }, options)
    yield page
    cursor = page.next_cursor
  } while (cursor !== null)
}

/** The items of all {@link pages}, one by one, of a list whose pages hold one list. */
export async function* items<Input extends Cursor, Output extends Page, O>(
  list: List<Input, Output, O> & ([ItemOf<Output>] extends [never] ? never : unknown),
  input: Input,
  options?: NoInfer<O>
): AsyncGenerator<ItemOf<Output>, void, undefined> {
  for await (const page of pages(list, input, options)) yield* Object.values(page).find(Array.isArray) ?? []
}
