/** Why nothing may be sent from this database; null when it may. Asked in the statement that sends. */
export const sendingHold = `
create function svc_sending_hold() returns text
language sql stable
begin atomic
  select coalesce(d.hold_reason, case
    when d.xmin::text <> d.written_by or d.fingerprint <> svc_fingerprint() then 'database_restored' end)
  from deployment d;
end;
`
