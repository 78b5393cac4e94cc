import type { AnswerHead } from "../../../src/upstream/http1/read-head.ts"

/** The head of a chunked answer that tells nothing but its status. */
export const headOf = (status: number): AnswerHead => ({
  status,
  headers: {},
  framing: "chunked",
  bodyBytes: 0,
  keepsAlive: true
})
