/** A suppression as JSON, as documents of leads hold it. */
export const suppressionEntry = `
create function svc_suppression_entry(s suppressions) returns jsonb
language sql stable
begin atomic
  select jsonb_build_object('kind', s.kind, 'reason', s.reason, 'until', s.until, 'leadId', s.lead_id,
    'createdAt', s.created_at);
end;
`
