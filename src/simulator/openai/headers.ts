/** The headers of OpenAI's answers. */
import type { HeaderList } from "../../sockets/write-head.ts"
import { openaiRequestId } from "../make-id.ts"

/** Constant figures: nobody is limited here, and answers stay comparable. */
const limits: HeaderList = [
  ["openai-processing-ms", "1"],
  ["openai-version", "2020-10-01"],
  ["x-ratelimit-limit-requests", "5000"],
  ["x-ratelimit-limit-tokens", "800000"],
  ["x-ratelimit-remaining-requests", "4999"],
  ["x-ratelimit-remaining-tokens", "799993"],
  ["x-ratelimit-reset-requests", "12ms"],
  ["x-ratelimit-reset-tokens", "0s"]
]

export const successHeaders = (): HeaderList => [["x-request-id", openaiRequestId()], ...limits]
