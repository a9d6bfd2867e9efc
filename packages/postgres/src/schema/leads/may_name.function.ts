/**
 * Whether a document may name a person: it contains a spelling of an identifier, or equals a custom id. The caller checks
 * such documents in detail.
 */
export const mayName = `
create function svc_may_name(p_document jsonb, p_spelling text, p_custom_ids text[]) returns boolean
language sql immutable
begin atomic
  select lower(p_document::text) ~ p_spelling or (cardinality(p_custom_ids) > 0 and exists (
    select 1 from jsonb_path_query(p_document, 'strict $.** ? (@.type() == "string" || @.type() == "number")') as t (value)
    where btrim(t.value #>> '{}', e' \\t\\r\\n') = any (p_custom_ids)));
end;
`
