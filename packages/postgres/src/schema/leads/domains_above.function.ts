/** A domain and the domains above it, down to two labels. */
export const domainsAbove = `
create function svc_domains_above(p_domain text) returns setof text
language sql immutable
begin atomic
  select array_to_string(d.labels[n:], '.')
  from (select string_to_array(p_domain, '.') as labels) d, generate_series(1, cardinality(d.labels) - 1) as n;
end;
`
