/** Attempts that count for the limits of an account. */
export const linkedinAttemptsIndexes = `
create index linkedin_attempts_counted on linkedin_attempts (organization_id, account_id, started_at, action)
  where outcome is null or outcome in ('confirmed', 'unknown');
`
