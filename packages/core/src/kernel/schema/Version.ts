/** The version of this build, shown by `svc --version`, `svc://status` and the header `Svc-Version`. */
export const version = "0.1.0"
