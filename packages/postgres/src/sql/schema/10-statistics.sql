-- Turns off statistics on `organization_id`. With them, a tenant newer than the last `analyze` would look empty, and any index
-- that begins with its id would look as good as the one that finds the row. Without them, PostgreSQL assumes that each tenant
-- has a two-hundredth of the table, and chooses the index with the most matching columns.
--
-- And has tables vacuumed soon after rows were added: until then, whatever is counted off an index alone reads the rows too, and
-- the numbers of a large mission take five times as long. PostgreSQL would wait for a fifth of the table.
--
-- Migrations must do the same for each new table; a test checks it.
do $$
declare
  owned record;
begin
  for owned in
    select c.table_name
    from information_schema.columns c
    join information_schema.tables t on t.table_schema = c.table_schema and t.table_name = c.table_name
    where c.table_schema = current_schema() and t.table_type = 'BASE TABLE' and c.column_name = 'organization_id'
  loop
    execute format('alter table %I alter column organization_id set statistics 0', owned.table_name);
    execute format('alter table %I set (autovacuum_vacuum_insert_scale_factor = 0.02)', owned.table_name);
  end loop;
end $$;
