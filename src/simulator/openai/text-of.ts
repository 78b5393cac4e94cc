/** The text of a content, a string or a list of parts; parts of other kinds have none. */
import { type Json, objectsOf, stringOf } from "../../formats/json/json.ts"

export const textOf = (content: Json | undefined): string =>
  typeof content === "string"
    ? content
    : objectsOf(content)
        .map((part) => stringOf(part["text"]))
        .join("")
