/** Imported files: the cells that are kept of refused rows are a part of what erasing a person removes. */
export const importFiles = {
  id: 10,
  name: "import_files",
  sql: `
create or replace function svc_erase_imports(p_organization text, p_lead_ids text[], p_needles text[]) returns void
language sql volatile as $$
  update import_rows set lead_id = null, source = null
  where organization_id = p_organization and lead_id = any (p_lead_ids);
  update import_rows r set source = null
  where r.organization_id = p_organization and r.source is not null
    and exists (select 1 from unnest(p_needles) as n (needle) where strpos(lower(r.source::text), lower(n.needle)) > 0);
$$;
`
}
