/** Escapes a text for a regular expression. */
export const literal = `
create function svc_literal(p_text text) returns text
language sql immutable
begin atomic
  select regexp_replace(p_text, '([!-/:-@\\[-\`{-~])', '\\\\\\1', 'g');
end;
`
