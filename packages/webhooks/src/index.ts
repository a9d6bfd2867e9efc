/** Delivery of signed webhooks. */
export {}
