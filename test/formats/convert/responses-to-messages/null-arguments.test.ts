/** Calls of a Responses upstream with `null`, which is no argument. */
import { assert, it } from "@effect/vitest"
import { Result } from "effect"
import { responsesResponseToMessages } from "../../../../src/formats/convert/responses-to-messages/answer.ts"
import type { JsonObject } from "../../../../src/formats/json/json.ts"
import { pairs } from "../../../../src/formats/pairs.ts"
import { contextFor } from "../../../wire/models.ts"
import { readWithAnthropic } from "../../../wire/stream-answers.ts"
import { runCodec } from "../../../wire/stream-runner.ts"

const context = contextFor("gpt-5.5")

it.each([[["null"]], [["n", "ull"]], [["null", "\n"]], [[" ", '{"x":1}']], [['{"x"', ":1}"]]])(
  "a call with %j has the same input whole and as a stream",
  async (pieces) => {
    const start = { type: "function_call", id: "fc_1", call_id: "a", name: "f", arguments: "" }
    const item = { ...start, arguments: pieces.join("") }
    const response: JsonObject = { id: "resp_1", status: "completed", output: [item] }
    const at = { output_index: 0 }
    const events: ReadonlyArray<JsonObject> = [
      { type: "response.created", response: { ...response, output: [] } },
      { type: "response.output_item.added", ...at, item: start },
      ...pieces.map((delta) => ({ type: "response.function_call_arguments.delta", ...at, delta })),
      { type: "response.output_item.done", ...at, item },
      { type: "response.completed", response }
    ]
    const bytes = Buffer.from(
      events.map((event) => `event: ${String(event.type)}\ndata: ${JSON.stringify(event)}\n\n`).join("")
    )
    const stream = runCodec(pairs.messages.responses.stream(context), [bytes], "messages")
    const { content } = await readWithAnthropic(stream)
    const whole = Result.getOrThrow(responsesResponseToMessages(response, context))
    assert.deepStrictEqual<unknown>(JSON.parse(JSON.stringify(content)), whole.content)
  }
)
