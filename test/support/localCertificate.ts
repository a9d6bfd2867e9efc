/** A certificate of localhost and 127.0.0.1 with its key, for servers that tests start. It proves nothing to anybody else. */

/** The key. */
export const localKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgOq1L79P6DS+8NV7W
8m+uu/QuECTvoR4u5IjaneClqrShRANCAARDJz8LS7WqY7hrkqG5BUHK+mB6ZHtu
FBF0w9jucenTR9tBtjiChikuNqip8UlX6yqx4jXBvzQFzBIR7nW5gfpD
-----END PRIVATE KEY-----
`

/** The certificate, its own authority, valid for a hundred years. */
export const localCertificate = `-----BEGIN CERTIFICATE-----
MIIBnDCCAUGgAwIBAgIUF26umbw1ot2T4dIsdooaajMk/MkwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTE0MDMyOVoYDzIxMjYxMDI4
MTQwMzI5WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAARDJz8LS7WqY7hrkqG5BUHK+mB6ZHtuFBF0w9jucenTR9tBtjiChiku
Nqip8UlX6yqx4jXBvzQFzBIR7nW5gfpDo28wbTAdBgNVHQ4EFgQU2+z52tRDhxOf
8KzC8nokG7Ws0xUwHwYDVR0jBBgwFoAU2+z52tRDhxOf8KzC8nokG7Ws0xUwDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDSQAwRgIhAMBz+KAt6YGheMpFXQ9hTvCYgyRBtW1DunITMG/9K0HOAiEA
xi2dE/3zlPTuHKH0z3GLsaKs8d4KeEQc0HeGs1Ie1jU=
-----END CERTIFICATE-----
`
