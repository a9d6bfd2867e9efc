/** Style sheets, which the bundle collects. */
declare module "*.css"
