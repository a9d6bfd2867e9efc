/** A whole number with commas, as in 2,500. `toLocaleString` would load the data of locales at each start, which takes 6 ms. */
export const thousands = (whole: number): string => String(whole).replaceAll(/\B(?=(?:\d{3})+$)/g, ",")
