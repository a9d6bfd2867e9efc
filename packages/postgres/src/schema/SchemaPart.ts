/** The SQL of a domain, each text in its own file. Within a list, dependencies come first. */
export interface SchemaPart {
  readonly tables: ReadonlyArray<string>
  readonly indexes: ReadonlyArray<string>
  readonly functions: ReadonlyArray<string>
}
