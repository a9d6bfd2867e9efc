/** The version of this build, as `svc --version`, `svc://status` and the header `Svc-Version` say it. */
export const version = "0.1.0"
