/** The blocks of a message. */
import { type Json, type JsonObject, objectOf, objectsOf } from "../json/json.ts"

/** Those of this type. */
export const blocksOf = (message: Json | undefined, type: string): ReadonlyArray<JsonObject> =>
  objectsOf(objectOf(message).content).filter((block) => block.type === type)
