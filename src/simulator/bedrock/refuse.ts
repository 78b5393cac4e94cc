/** Bedrock's headers, and its words for every failure. */
import type { HeaderList } from "../../sockets/write-head.ts"
import { type PlainAnswer, plainJson } from "../http/Answer.ts"
import { uuid } from "../make-id.ts"
import type { Complaint } from "../Protocol.ts"

const usual: Readonly<Record<number, readonly [type: string, message: string]>> = {
  400: ["ValidationException", "Malformed input request, please reformat your input and try again."],
  403: ["AccessDeniedException", "You don't have access to the model with the specified model ID."],
  404: ["ResourceNotFoundException", "The model could not be found."],
  408: ["ModelTimeoutException", "Model has timed out in processing the request. Try your request again."],
  424: [
    "ModelErrorException",
    "The system encountered an unexpected error during processing. Try your request again."
  ],
  429: ["ThrottlingException", "Too many requests, please wait before trying again."],
  500: [
    "InternalServerException",
    "The system encountered an unexpected error during processing. Try your request again."
  ],
  503: ["ServiceUnavailableException", "Bedrock is unable to process your request."]
}

export const refuse = (status: number, complaint?: Complaint): PlainAnswer => {
  const [type, message] = usual[status] ?? ["UnknownError", `Status ${status}`]
  return plainJson(
    status,
    [
      ["x-amzn-requestid", uuid()],
      ["x-amzn-errortype", `${complaint?.code ?? type}:http://internal.amazon.com/coral/com.amazon.bedrock/`]
    ],
    { message: complaint?.message ?? message }
  )
}

export const successHeaders = (): HeaderList => [["x-amzn-requestid", uuid()]]
