/**
 * Every migration of the schema, in the order in which they run, and the present schema as a whole. Both are made of the
 * files in `src/sql` by `sqlModule.js`; the package's README says how to add one.
 */
export { migrations, schema } from "./generated.ts"
