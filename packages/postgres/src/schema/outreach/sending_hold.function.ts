/**
 * Why nothing may be sent from this database; null when it may. Asked in the statement that sends. In PL/pgSQL, which keeps its
 * plan, as `svc_suppressions_of_lead`.
 */
export const sendingHold = `
create function svc_sending_hold() returns text
language plpgsql stable
set search_path from current
as $$
begin
  return (
    select coalesce(d.hold_reason, case
      when d.xmin::text <> d.written_by or d.fingerprint <> svc_fingerprint() then 'database_restored' end)
    from deployment d);
end $$;
`
