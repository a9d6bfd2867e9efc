/** Content encodings of requests. */

const none: ReadonlySet<string> = new Set()

/** The encodings that a request accepts (RFC 9110, section 12.5.3): those named without `q=0`. */
export const acceptedEncodings = (header = ""): ReadonlySet<string> =>
  header === ""
    ? none
    : new Set(
        header
          .toLowerCase()
          .split(",")
          .flatMap((part) => {
            const [name = "", ...parameters] = part.split(";").map((word) => word.trim())
            return parameters.some((word) => /^q=0(\.0*)?$/.test(word)) ? [] : [name]
          })
      )
