/** System messages that hold for one turn alone. */
import { type Json, objectOf } from "../json/json.ts"

/**
 * The messages that the model is still shown, each with its place: a system message may be cleared by the user's next.
 * Source: platform.claude.com, "Mid-conversation system messages".
 */
export const shownMessages = (messages: ReadonlyArray<Json>): ReadonlyArray<readonly [number, Json]> => {
  const lastOfUser = messages.findLastIndex((message) => objectOf(message).role === "user")
  return [...messages.entries()].filter(
    ([place, message]) => objectOf(message).clear_at !== "next_user_message" || place >= lastOfUser
  )
}
