/** Calls of functions and of custom tools, as chat tells them. */
import { isJsonObject, type JsonObject } from "../json/json.ts"

/** Whether a call, or a choice of a tool, means one that takes a text, not JSON. */
export const isOfCustomTool = ({ custom, type }: JsonObject): boolean =>
  type === "custom" || isJsonObject(custom)

/** A call but for its id: `written` is the JSON of a function's arguments, or a custom tool's text. */
export const toolCalled = (isCustom: boolean, name: string, written: string): JsonObject =>
  isCustom
    ? { type: "custom", custom: { name, input: written } }
    : { type: "function", function: { name, arguments: written } }

/** A piece more of what a tool is called with. */
export const calledPiece = (isCustom: boolean, piece: string): JsonObject =>
  isCustom ? { custom: { input: piece } } : { function: { arguments: piece } }
