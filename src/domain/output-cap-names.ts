/** What the most tokens that an answer may have are called in requests. */

/** In chat; a model takes one of them. */
export const chatCapNames = ["max_tokens", "max_completion_tokens"] as const
export type ChatCapName = (typeof chatCapNames)[number]

/** By some provider or other. */
export const capNames = [...chatCapNames, "max_output_tokens", "max_new_tokens"] as const
