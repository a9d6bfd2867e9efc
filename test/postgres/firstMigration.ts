import type { Migration } from "#postgres/Migration.ts"

/** The only migration of small databases. */
export const first: Migration = {
  id: 1,
  name: "first",
  sql: "create table first (n int primary key); insert into first values (1)"
}
