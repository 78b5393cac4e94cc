/** What a tool is called with, for protocols that tell it as an object and not as a text. */
import type { Json } from "../../formats/json/json.ts"
import { jsonIn } from "../read-json.ts"
import type { ToolCall } from "./Turn.ts"
import { joinPieces } from "./vocabulary.ts"

/** Arguments that the output cap cut off can not be parsed; the provider then gives what there is of them: nothing. */
export const parseArguments = (call: ToolCall): Json => {
  const parsed = jsonIn(joinPieces(call.arguments))
  return parsed === undefined ? {} : parsed
}
