/** The list, and one webhook for reviews per URL. */
export const webhooksIndexes = `
create index webhooks_newest on webhooks (organization_id, created_at, id collate "C");
create unique index webhooks_reviews on webhooks (organization_id, url) where purpose = 'email_reviews';
`
