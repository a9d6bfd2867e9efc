/** Applies the compact profile of one record to the outputs that hold it. */

/** Shortens a record, with a warning for what was cut. */
type Compact<A> = (record: A) => { readonly output: A; readonly warnings: ReadonlyArray<string> }

/** A shortened record, or output, with a warning if anything was cut. */
export const compacted = <A>(output: A, isCut: boolean, warning: string) => ({
  output,
  warnings: isCut ? [`compact: ${warning}`] : []
})

/** For an output that holds one record in the field `name`. */
export const compactField =
  <K extends string, A>(name: K, compact: Compact<A>) =>
  <O extends Readonly<Record<K, A>>>(output: O) => {
    const { output: record, warnings } = compact(output[name])
    return { output: { ...output, [name]: record }, warnings }
  }

/** For a page that holds records in the field `name`. */
export const compactItems =
  <K extends string, A>(name: K, compact: Compact<A>) =>
  <P extends Readonly<Record<K, ReadonlyArray<A>>>>(page: P) => {
    const items = page[name].map(compact)
    return {
      output: { ...page, [name]: items.map(({ output }) => output) },
      warnings: items.flatMap(({ warnings }) => warnings)
    }
  }
