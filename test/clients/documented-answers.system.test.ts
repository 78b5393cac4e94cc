/** The errors and the answers without text of test/fixtures, through a running gateway: what is told, and what it costs. */
import { assert, describe, it } from "@effect/vitest"
import { readAnswer } from "../gateway/ask.ts"
import { ownErrors, ownPlain } from "../fixtures/read-fixtures.ts"
import { useGateway } from "./use-gateway.ts"

const gateway = useGateway()

const ask = (model: string, stream: boolean) =>
  gateway.post("/v1/messages", {
    model,
    max_tokens: 64,
    stream,
    messages: [{ role: "user", content: "Hello" }]
  })

/** A timed-out call is tried once more by itself. */
const errors = ownErrors().filter(({ status }) => status !== 408)
const models = [...new Set(errors.map(({ model }) => model))]

describe("a documented error", () => {
  it.each(models)(
    "of the provider of %s is told in the contract's words, and costs nothing",
    async (model) => {
      const told = errors.filter((each) => each.model === model)
      for (const { body, headers, name, status, told: expected } of told) {
        for (const stream of [false, true]) {
          const { "content-type": contentType = "application/json", ...others } = headers
          await gateway.replay({ path: "", status, contentType, headers: others, body: Buffer.from(body) })
          const answer = await readAnswer(await ask(model, stream))
          assert.strictEqual(answer.status, expected.status, `${name}: ${answer.text}`)
          const { error } = JSON.parse(answer.text) as {
            readonly error: { readonly message: string; readonly type: string }
          }
          assert.strictEqual(error.type, expected.type, name)
          // Some clients know by its beginning which error they can mend.
          assert.isTrue(error.message.endsWith(expected.message), `${name}: ${error.message}`)
          const after = answer.headers.get("retry-after")
          if (expected.status === 429) assert.strictEqual(Number(after), expected.retryAfter ?? 5, name)
          // A success between them, so that the failures do not open the provider's circuit.
          assert.strictEqual((await ask(model, false)).status, 200, name)
        }
      }
      const rows = await gateway.newCalls(told.length * 4)
      for (const [index, row] of rows.entries())
        if (index % 2 === 0) assert.deepStrictEqual([row.cost_micro_vnd, row.output_tokens], [0n, 0])
    }
  )
})

describe("a documented answer", () => {
  it.each(ownPlain())(
    "of $name reaches its client as it stands, and is paid by what came",
    async (fixture) => {
      const { body, path, request, told, type } = fixture
      await gateway.replay({ path: "", body, contentType: type })
      const answer = await readAnswer(await gateway.post(path, request))
      assert.strictEqual(answer.status, 200, answer.text)
      const [row] = await gateway.newCalls(1)
      if (told.tokens !== undefined) {
        assert.deepStrictEqual(JSON.parse(answer.text), { input_tokens: told.tokens })
        assert.strictEqual(row!.cost_micro_vnd, 0n)
        return
      }
      assert.isTrue(answer.bytes.equals(body))
      assert.deepStrictEqual(
        [row!.status, row!.units, row!.cost_micro_vnd],
        [200, told.units, BigInt(told.charge!)]
      )
    }
  )
})
