/** Texts and values that break careless programs. */
import * as fc from "fast-check"

/** Texts that are awkward to store, compare, print or match. */
export const hostileTexts: ReadonlyArray<string> = [
  "",
  " ",
  "\u00a0\u2003\u3000",
  "\u0000",
  "a\u0000b",
  "\u0007bell\u001b[31mred",
  "line\nbreak\r\nand\ttab",
  "\u202eright to left override\u202c",
  "\u2066isolated\u2069",
  "مرحبا بالعالم",
  "שלום עולם",
  "👩‍👩‍👧‍👦 family",
  "👍🏽".repeat(30),
  "\ud800",
  "ends with half \udbff",
  "e\u0301 and é",
  "\ufb01 ﬁne \u212b",
  `${"a\u0300\u0301\u0302".repeat(40)}`,
  "\ufeffmark",
  "\uffff\ufffe",
  "İstanbul ıI ß ẞ",
  "' or 1=1 --",
  '"; drop table leads; --',
  "%_\\%",
  "$\u007bjndi:ldap://x} {{7*7}} <script>alert(1)</script>",
  "../../../../etc/passwd",
  "__proto__",
  "constructor",
  "null",
  "NaN",
  "0x10",
  "1e400",
  "http://",
  "https://user:pass@example.com/",
  "javascript:alert(1)",
  "https://www.linkedin.com/in/%E0%A4%A",
  "https://www.linkedin.com/in/../sales",
  "a@b",
  `${"a".repeat(64)}@${"b.".repeat(100)}example`,
  "@".repeat(200),
  "(".repeat(500),
  "((((keywords:x",
  "9".repeat(400),
  "2026-02-30T00:00:00Z",
  "9999-12-31T23:59:60Z",
  "é".repeat(300),
  "x".repeat(5_000),
  "😀".repeat(4_001),
  "word ".repeat(10_000)
]

/** Objects within objects, `depth` of them. */
export const nested = (depth: number): unknown => {
  let value: unknown = "bottom"
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? { down: value } : [value]
  return value
}

/** Values of every JSON type, and some that are none. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { arbitrary: fc.constantFrom(...hostileTexts), weight: 4 },
  { arbitrary: fc.string({ unit: "binary", maxLength: 60 }), weight: 1 },
  fc.constantFrom<unknown>(null, true, false, 0, -0, -1, 1.5, 2 ** 31, 2 ** 53, -(2 ** 53), 1e308, 5e-324),
  fc.constantFrom<unknown>(Number.NaN, Number.POSITIVE_INFINITY, undefined),
  fc.constantFrom<unknown>([], {}, [[]], [null], [{}], { a: 1 }, [1, 2, 3], ["x", "x"]),
  fc.constantFrom(2, 30, 40, 200, 5_000).map(nested),
  fc.constant(Array.from({ length: 3_000 }, (_, index) => index)),
  fc.jsonValue({ maxDepth: 3 })
)
