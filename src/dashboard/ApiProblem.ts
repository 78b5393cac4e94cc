/** A refusal the front end has words for. */
export class ApiProblem<Code extends string = string> extends Error {
  readonly status: number
  /** As it stands in the answer's body. */
  readonly error: { readonly code: Code; readonly message?: string }
  readonly headers: ReadonlyArray<readonly [string, string]>

  /** `message` is for whoever writes a program; it has nothing in it of what was sent but names of fields. */
  constructor(
    status: number,
    code: Code,
    headers: ReadonlyArray<readonly [string, string]> = [],
    message?: string
  ) {
    super(code)
    this.status = status
    this.error = { code, ...(message !== undefined && { message }) }
    this.headers = headers
  }
}

/** Refuses what must be waited with for so long. */
export const requireNoWait = (waitSeconds: number): void => {
  if (waitSeconds > 0) throw tooManyTries(waitSeconds)
}

export const tooManyTries = (waitSeconds: number): ApiProblem<"too_many_tries"> =>
  new ApiProblem(429, "too_many_tries", [["retry-after", String(waitSeconds)]])
