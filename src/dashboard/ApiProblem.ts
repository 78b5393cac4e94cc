/** A refusal the front end has words for. */
export class ApiProblem extends Error {
  readonly status: number
  readonly code: string
  readonly headers: ReadonlyArray<readonly [string, string]>

  constructor(status: number, code: string, headers: ReadonlyArray<readonly [string, string]> = []) {
    super(code)
    this.status = status
    this.code = code
    this.headers = headers
  }
}

export const tooManyTries = (waitSeconds: number): ApiProblem =>
  new ApiProblem(429, "too_many_tries", [["retry-after", String(waitSeconds)]])
