/** The words of how calls are refused and fail: all of them, and those of one call. */
import { language } from "../language.ts"
import { english } from "./failures-en.ts"
import { vietnamese } from "./failures-vi.ts"

export const failuresText = (): typeof vietnamese => (language.value === "vi" ? vietnamese : english)

/** `undefined` where it is of no kind that callers are told of. */
export const whyFailed = (call: {
  readonly status: number
  readonly error_type: string
  readonly provider_asked: boolean | null
}): string | undefined => {
  const { failures, left, limits } = failuresText()
  if (call.error_type === "client_closed_request") return left
  if (call.error_type === "rate_limit_error" && call.provider_asked !== null)
    return limits[call.provider_asked ? "provider" : "key"]
  return failures.find(([status, type]) => status === call.status && type === call.error_type)?.[2]
}
