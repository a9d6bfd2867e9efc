/** Those who expired. */
export const reviewViewersIndexes = `
create index review_viewers_expired on review_viewers (organization_id, expires_at);
`
