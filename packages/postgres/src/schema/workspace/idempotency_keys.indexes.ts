/** Old keys. */
export const idempotencyKeysIndexes = `
create index idempotency_keys_oldest on idempotency_keys (created_at);
`
