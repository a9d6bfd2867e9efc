/** The surface on a port of its own. */
export { serve } from "../NodeServer.ts"
