/** Callers that want one tool call at a time, whichever protocol they say it in. */
import { type JsonObject, objectOf } from "./json/json.ts"

export const asksForOneCall = ({ parallel_tool_calls: parallel, tool_choice: choice }: JsonObject): boolean =>
  parallel === false || objectOf(choice).disable_parallel_tool_use === true
