/** A failure with a stable code and a status. */
export class Failure extends Error {
  readonly status: number
  readonly code: string
  readonly warnings: ReadonlyArray<string>

  constructor(status: number, code: string, message: string, warnings: ReadonlyArray<string> = []) {
    super(message)
    this.status = status
    this.code = code
    this.warnings = warnings
  }
}
