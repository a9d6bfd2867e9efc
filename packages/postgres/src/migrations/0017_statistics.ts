/**
 * No statistics about whose a row is: a tenant that is younger than the last `analyze` would be held for empty, and then
 * any index that begins with it looks as good as the one that finds the row. Without them PostgreSQL takes each for a
 * two-hundredth of the table, which leads it to the index that names the most columns.
 *
 * For the same reason there is only one index that begins with a mission: whether a lead is in a mission that is new is
 * never looked up by reading the mission.
 */
export const statistics = {
  id: 17,
  name: "statistics",
  sql: `
do $$
declare
  owned record;
begin
  for owned in
    select c.table_name, c.column_name
    from information_schema.columns c
    join information_schema.tables t on t.table_schema = c.table_schema and t.table_name = c.table_name
    where c.table_schema = current_schema() and t.table_type = 'BASE TABLE'
      and c.column_name = 'organization_id'
  loop
    execute format('alter table %I alter column %I set statistics 0', owned.table_name, owned.column_name);
  end loop;
end $$;

drop index lead_missions_linked;
`
}
