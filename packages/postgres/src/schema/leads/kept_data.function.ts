/** The data of an event with only the keys that name no person. */
export const keptData = `
create function svc_kept_data(p_data jsonb, p_kept text[]) returns jsonb
language sql immutable
begin atomic
  select coalesce(jsonb_object_agg(d.key, d.value), '{}') from jsonb_each(p_data) d where d.key = any (p_kept);
end;
`
