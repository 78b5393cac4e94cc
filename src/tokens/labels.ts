import type { Json } from "../formats/json/json.ts"

/** Members of a message or block that are labels of it, not something the model reads, while they are short. */
const labelLengthMax = 64

export const isLabel = (key: string, text: string): boolean => {
  if (text.length > labelLengthMax) return false
  switch (key) {
    case "type":
    case "role":
    case "id":
    case "tool_use_id":
    case "tool_call_id":
    case "call_id":
    case "item_id":
    case "status":
    case "phase":
    case "detail":
    case "media_type":
      return true
    default:
      return false
  }
}

/** Labels, too, of an item that brings tools along. */
export const isItemLabel = (key: string, value: Json | undefined): boolean =>
  (key === "execution" || key === "server_label") &&
  typeof value === "string" &&
  value.length <= labelLengthMax
