/** The role that servers and workers connect as: it reads and writes rows, and owns nothing. */
import { type Failure, WrongState } from "@svc/core"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { schemaOf } from "./inSchema.ts"
import { requireCurrent } from "./Migrator.ts"
import { orUnavailable } from "./SqlFailure.ts"
import { sessionSettings } from "./sessionSettings.ts"

/** Identifiers of PostgreSQL, quoted where necessary; `literal` is the role as a string. */
interface Names {
  readonly database: string
  readonly schema: string
  readonly owner: string
  readonly role: string
  readonly literal: string
}

const settingsOf = ({ database, role, schema }: Names, statementSeconds: number | undefined): string =>
  [
    ["search_path", schema],
    ...Object.entries(sessionSettings(statementSeconds)).map(([name, value]) => [name, `'${value}'`])
  ]
    .map(([name, value]) => `alter role ${role} in database ${database} set ${name} = ${value};`)
    .join("\n")

const sqlOf = (names: Names, statementSeconds: number | undefined): string => {
  const { database, literal, owner, role, schema } = names
  return `-- The role of svc serve and svc worker. Run this as a superuser, or as a role that has CREATEROLE and is a member of
-- ${owner}; then give the role a password. Running it again changes nothing.
do $$ begin
  if not exists (select from pg_roles where rolname = ${literal}) then create role ${role} login; end if;
end $$;
${settingsOf(names, statementSeconds)}

revoke temporary on database ${database} from public;
revoke create on schema ${schema} from public;
grant connect on database ${database} to ${role};
grant usage on schema ${schema} to ${role};

grant select, insert, update, delete on all tables in schema ${schema} to ${role};
revoke insert, update, delete on ${schema}.svc_migrations from ${role};
grant usage on all sequences in schema ${schema} to ${role};
grant execute on all functions in schema ${schema} to ${role};

-- What later migrations add.
alter default privileges for role ${owner} in schema ${schema} grant select, insert, update, delete on tables to ${role};
alter default privileges for role ${owner} in schema ${schema} grant usage on sequences to ${role};
alter default privileges for role ${owner} in schema ${schema} grant execute on functions to ${role};
`
}

/**
 * The SQL that makes the role, for statements of at most these seconds, and grants it what the service needs. Fails with UNAVAILABLE if the schema is outdated, and with
 * WRONG_STATE if the role owns it.
 */
export const serviceRoleSql = Effect.fnUntraced(function* (name: string, statementSeconds?: number) {
  yield* requireCurrent()
  const sql = yield* SqlClient
  const [names] = yield* orUnavailable(sql<Names>`
      select quote_ident(current_database()) as database, quote_ident(${schemaOf(sql)}) as schema,
        quote_ident(pg_get_userbyid(relowner)) as owner, quote_ident(${name}) as role, quote_literal(${name}::text) as literal
      from pg_class where oid = to_regclass('svc.svc_migrations')
    `)
  if (names === undefined) return yield* Effect.die("A migrated database has no svc_migrations.")
  if (names.owner === names.role) {
    return yield* new WrongState({ message: `${name} owns the tables. Choose another role with --role.` })
  }
  return sqlOf(names, statementSeconds)
})

/** Objects that a message names. */
const shownNames = 5

/**
 * Fails with WRONG_STATE, naming them, if this role lacks privileges on tables, sequences or functions of the schema's owner.
 * Where nothing was granted or revoked, an owner may do everything and everybody may call functions, so that is not asked one
 * by one: 3 ms of a start instead of 11.
 */
export const requirePrivileges: Effect.Effect<void, Failure, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const missing = yield* orUnavailable(sql<{ readonly name: string }>`
    with head as materialized (
      select oid, relowner as owner, relnamespace as schema, pg_has_role(relowner, 'usage') as "isOwner"
      from pg_class where oid = to_regclass('svc.svc_migrations')
    )
    select c.relname::text as name from head h join pg_class c on c.relowner = h.owner and c.relnamespace = h.schema
    where not (c.relacl is null and h."isOwner") and case c.relkind
      when 'r' then not (has_table_privilege(c.oid, 'select') and (c.oid = h.oid
        or has_table_privilege(c.oid, 'insert') and has_table_privilege(c.oid, 'update') and has_table_privilege(c.oid, 'delete')))
      when 'S' then not has_sequence_privilege(c.oid, 'usage') end
    union all
    select p.proname from head h join pg_proc p on p.proowner = h.owner and p.pronamespace = h.schema
    where p.proacl is not null and not has_function_privilege(p.oid, 'execute')
    order by name
  `)
  if (missing.length === 0) return
  const names = missing.slice(0, shownNames).map(({ name }) => name)
  const more = missing.length > shownNames ? ` and ${missing.length - shownNames} more` : ""
  return yield* new WrongState({
    message: `The role of this connection lacks privileges on ${names.join(", ")}${more}. Run the SQL of svc db roles.`
  })
})
