/**
 * One step of the schema. Ids are positive and ascending. `sql` may hold several statements, but no transaction control and
 * nothing that PostgreSQL rejects inside a transaction.
 */
export interface Migration {
  readonly id: number
  readonly name: string
  readonly sql: string
}
