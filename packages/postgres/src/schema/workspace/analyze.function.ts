/**
 * Analyzes a table as the owner of the schema, whoever calls: PostgreSQL lets nobody else do it, and the role of the service
 * owns nothing. Skips a table that is locked.
 */
export const analyze = `
create function svc_analyze(p_table text) returns void
language plpgsql volatile security definer
set search_path from current
as $$
begin
  execute format('analyze (skip_locked) %I.%I', current_schema(), p_table);
end $$;
revoke execute on function svc_analyze(text) from public;
`
