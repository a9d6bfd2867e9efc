/**
 * Where the database lives: the cluster, its timeline (a new one after recovery from a backup) and the database. What a
 * server does not tell is left out.
 */
export const fingerprint = `
create function svc_fingerprint() returns text
language plpgsql stable
set search_path from current
as $$
declare
  cluster text := '';
  timeline text := '';
begin
  begin
    select system_identifier::text into cluster from pg_control_system();
  exception when insufficient_privilege or undefined_function or feature_not_supported then null;
  end;
  begin
    timeline := left(pg_walfile_name(pg_current_wal_lsn()), 8);
  exception when insufficient_privilege or undefined_function or feature_not_supported
    or object_not_in_prerequisite_state then null;
  end;
  return concat_ws(':', cluster, timeline, (select oid from pg_database where datname = current_database()));
end $$;
`
