/** The stream of a response: every event with its name and its number. */
import type { JsonObject } from "../../formats/json/json.ts"
import type { Frame } from "../http/Answer.ts"
import { type Draft, finalStatus, outputItems, responseObject } from "./write-answer.ts"
import { serverError } from "../openai/words.ts"

/** `finished` learns the output items when the answer is complete. */
export class ResponseStream {
  /** Failures under way carry the next number as well. */
  number = 0
  readonly #draft: Draft
  readonly #finished: (output: ReadonlyArray<JsonObject>) => void

  constructor(draft: Draft, finished: (output: ReadonlyArray<JsonObject>) => void) {
    this.#draft = draft
    this.#finished = finished
  }

  *frames(): Generator<Frame> {
    const begun = responseObject(this.#draft, "in_progress", [])
    yield this.#frame("response.created", { response: begun })
    yield this.#frame("response.in_progress", { response: begun })
    const output: Array<JsonObject> = []
    for (const [index, made] of outputItems(this.#draft, true).entries()) {
      yield this.#frame("response.output_item.added", { output_index: index, item: made.started })
      for (const { type, item_id, ...event } of made.events())
        // In this order, as the provider has it.
        yield this.#frame(String(type), { item_id, output_index: index, ...event })
      output.push(made.finished)
      yield this.#frame("response.output_item.done", { output_index: index, item: made.finished })
    }
    this.#finished(output)
    const status = finalStatus(this.#draft.turn)
    yield this.#frame(`response.${status}`, { response: responseObject(this.#draft, status, output) })
  }

  failure(): ReadonlyArray<Frame> {
    const error = {
      code: "server_error",
      message: serverError
    }
    return [
      this.#frame("error", { error: { type: "server_error", ...error, param: null } }),
      this.#frame("response.failed", { response: responseObject(this.#draft, "failed", [], error) })
    ]
  }

  #frame(type: string, event: JsonObject): Frame {
    return `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: this.number++, ...event })}\n\n`
  }
}
