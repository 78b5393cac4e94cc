/** What OpenAI's servers and models say wherever they say it. */

export const serverError = "The server had an error while processing your request. Sorry about that!"

export const refusalText = "I'm sorry, but I can't help with that."

/** In the pieces in which it is streamed. */
export const refusalWords: ReadonlyArray<string> = refusalText.match(/\s?\S+/g) ?? []
