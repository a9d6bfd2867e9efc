/**
 * The organization of names that come from outside: the only table that is read before the organization is known. Its values
 * are unique over all organizations.
 *
 * | kind | value | written with |
 * |---|---|---|
 * | `api_key` | the key id | the key |
 * | `linkedin_webhook:GATEWAY` | the SHA-256 of the token in a webhook's URL | the page that links an account |
 * | `linkedin_account:GATEWAY` | the id of the account at the provider | the account; kept when it is unlinked, until its owner logs in for another organization |
 */
export const organizationLookupsTable = `
create table organization_lookups (
  kind text not null,
  value text not null,
  organization_id text not null references organizations (id),
  primary key (kind, value)
);
`
