/** Keys of an organization, oldest first. */
export const apiKeysIndexes = `
create index api_keys_organization on api_keys (organization_id, created_at, key_id);
`
