/** Keys of an organization, oldest first, and sessions by when they expired or were revoked. */
export const apiKeysIndexes = `
create index api_keys_organization on api_keys (organization_id, created_at, key_id);
create index api_keys_ended_sessions on api_keys (least(expires_at, revoked_at)) where session is not null;
`
