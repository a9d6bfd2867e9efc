/** Secrets of the deployment by name, the same for every process. */
export const deploymentSecretsTable = `
create table deployment_secrets (
  name text primary key,
  secret text not null
);
`
