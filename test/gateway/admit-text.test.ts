/** What a text call holds: all that its answers may cost, thoughts beyond the cap included, or its share of what is there. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { prepareCall } from "../../src/compute/prepare-call.ts"
import type { Model } from "../../src/domain/catalogue.ts"
import type { AccountId, KeyId } from "../../src/domain/ids.ts"
import { fromVnd } from "../../src/domain/money.ts"
import { wayTo } from "../../src/formats/pairs.ts"
import { admitText } from "../../src/gateway/admit-text.ts"
import { Call } from "../../src/gateway/Call.ts"
import type { Client } from "../../src/gateway/Client.ts"
import type { GatewayShape } from "../../src/gateway/Gateway.ts"
import { hashStoredId } from "../../src/gateway/hash-stored-id.ts"
import { Random, seeds } from "../Random.ts"
import { modelNamed } from "../catalogue.ts"

interface Demand {
  readonly minimum: bigint
  readonly wanted: bigint
}

/** Admits a chat call on a wallet that has `funds`, and gives what was demanded and what came of it. */
const admit = (model: Model, body: object, funds?: bigint) =>
  admitBy("chat_completions", model, { messages: [{ role: "user", content: "Hello" }], ...body }, funds)

const admitBy = async (
  endpoint: "chat_completions" | "responses",
  model: Model,
  body: object,
  funds = 10n ** 15n
) => {
  const way = wayTo(endpoint, model)!
  const bytes = Buffer.from(JSON.stringify({ model: model.id, ...body }))
  const prepared = prepareCall({ way, model, body: bytes, anthropicBeta: "" })
  const call = new Call({} as Client, endpoint, Date.now())
    .identify({ accountId: "acc" as AccountId, keyId: "key" as KeyId, secret: 0 })
    .resolve({ model, mappedFrom: undefined }, { models: [model], withdrawn: [] })
  const demands: Array<Demand> = []
  const gateway = {
    ledger: {
      storedCall: (_account: unknown, hash: Uint8Array) =>
        Effect.succeed(Buffer.from(hash).equals(hashStoredId("resp_own")) ? 700 : undefined),
      storedItems: (_account: unknown, hashes: ReadonlyArray<Uint8Array>) =>
        Effect.succeed({ tokens: 700 * hashes.length, missing: hashes.length > 2 ? 2 : undefined }),
      admitUnsafe: (_identity: unknown, _call: unknown, demand: Demand) => {
        demands.push(demand)
        const granted = demand.wanted < funds ? demand.wanted : funds
        return Effect.succeed({ _tag: "Admitted", granted })
      }
    },
    models: { settings: () => ({ limits: { holdOutputTokens: 2_048 }, publicUrl: "" }) }
  } as unknown as GatewayShape
  const admitted = await Effect.runPromise(admitText(gateway, call, prepared))
  return { admitted, prepared, demand: demands[0]! }
}

const priceOf = (model: Model): bigint => {
  assert.strictEqual(model.price._tag, "PerToken")
  return model.price._tag === "PerToken" ? BigInt(model.price.perMtokVnd) : 0n
}

describe("a plain call's hold", () => {
  it.each([
    ["gpt-5.5", {}, 10],
    ["gpt-5.5", { n: 3 }, 30],
    ["gpt-5.5", { n: 2, best_of: 5 }, 50],
    ["qwen3.7-plus", {}, 10 + 131_072],
    ["qwen3.7-plus", { n: 2 }, 2 * (10 + 131_072)],
    ["qwen3.7-plus", { thinking_budget: 500 }, 510],
    ["qwen3.7-plus", { enable_thinking: false }, 10],
    ["grok-4.3", {}, 10 + 30_000]
  ] as const)("of %s with %j covers what may be thought and said", async (id, more, tokens) => {
    const model = modelNamed(id)
    const { admitted, demand, prepared } = await admit(model, { max_tokens: 10, ...more })
    assert.strictEqual(demand.wanted, priceOf(model) * BigInt(prepared.inputBound + tokens))
    assert.strictEqual(demand.minimum, priceOf(model) * BigInt(prepared.inputBound + 1))
    assert.strictEqual(admitted.cap, 10)
  })

  it.each(seeds(50))("that covers a part has the answer's share of it as the cap (seed %i)", async (seed) => {
    const random = new Random(seed)
    const model = modelNamed(random.pick(["gpt-5.5", "qwen3.7-plus", "grok-4.3"]))
    const body = { max_tokens: 1 + random.below(100_000), n: 1 + random.below(4) }
    const { prepared } = await admit(model, body)
    const price = priceOf(model)
    const funds = price * BigInt(prepared.inputBound + 1 + random.below(300_000))
    const { admitted, demand } = await admit(model, body, funds)
    const { answers, cap, inputBound, thinkingBeyondCap } = prepared
    assert.isAtLeast(admitted.cap, 1)
    assert.isAtMost(admitted.cap, cap.tokens)
    const cost = (each: number) => price * BigInt(inputBound + each * answers)
    if (admitted.granted === demand.wanted) {
      assert.strictEqual(admitted.cap, cap.tokens)
      assert.isTrue(cost(admitted.cap + thinkingBeyondCap) <= admitted.granted)
    } else if (admitted.cap > 1) {
      assert.isTrue(cost(admitted.cap) <= admitted.granted)
      // Thoughts as long in proportion are covered as well.
      const thoughts = Math.floor((thinkingBeyondCap * admitted.cap) / cap.tokens)
      assert.isTrue(cost(admitted.cap + thoughts) <= admitted.granted)
    }
    // And of an answer that is a token longer they would not be.
    const longer = Math.ceil(((cap.tokens + thinkingBeyondCap) * (admitted.cap + 1)) / cap.tokens)
    assert.isTrue(admitted.cap === cap.tokens || cost(longer) > admitted.granted)
  })
})

describe("a call at a fixed price", () => {
  it.each([{}, { stream: true }])("holds that price, whatever it may say (%j)", async (more) => {
    const model = modelNamed("req/claude-sonnet-5")
    const { admitted, demand, prepared } = await admit(model, { max_tokens: 10, ...more })
    const cost = model.price._tag === "PerRequest" ? fromVnd(BigInt(model.price.perRequestVnd)) : undefined
    assert.deepStrictEqual(demand, { minimum: cost, wanted: cost })
    const { cap, granted, inputTokens } = admitted
    assert.deepStrictEqual([granted, cap, inputTokens], [cost, 10, prepared.inputBound])
  })
})

describe("a call that continues a stored response", () => {
  it("holds what that came to, which is read once more", async () => {
    const model = modelNamed("gpt-5.5")
    const body = { max_output_tokens: 100, input: "hi", previous_response_id: "resp_own" }
    const { admitted, demand, prepared } = await admitBy("responses", model, body)
    assert.strictEqual(admitted.inputTokens, prepared.inputBound + 700)
    assert.strictEqual(demand.wanted, priceOf(model) * BigInt(prepared.inputBound + 700 + 100))
  })
})

describe("a call that refers to stored items", () => {
  const model = modelNamed("gpt-5.5")
  const refer = (...ids: ReadonlyArray<string>) =>
    admitBy("responses", model, {
      max_output_tokens: 100,
      input: ids.map((id) => ({ type: "item_reference", id }))
    })

  it("holds what the calls came to that stored them", async () => {
    const { admitted, demand, prepared } = await refer("msg_1", "rs_2")
    assert.strictEqual(admitted.inputTokens, prepared.inputBound + 1_400)
    assert.strictEqual(demand.wanted, priceOf(model) * BigInt(prepared.inputBound + 1_400 + 100))
  })

  it("is told which of them is not there", async () => {
    const refused = await refer("msg_1", "rs_2", "msg_gone").catch((error: unknown) => error)
    assert.deepInclude(refused, {
      status: 400,
      type: "invalid_request_error",
      message: "Item with id 'msg_gone' not found.",
      param: "input"
    })
  })
})

describe("a call that compares its prompt with that of a stored response", () => {
  const compare = (comparison_response_id: string, id = "gpt-5.5") =>
    admitBy("responses", modelNamed(id), {
      max_output_tokens: 100,
      input: "hi",
      prompt_cache_options: { mode: "implicit", comparison_response_id }
    })

  it("holds nothing for that", async () => {
    const { admitted, prepared } = await compare("resp_own")
    assert.strictEqual(admitted.inputTokens, prepared.inputBound)
  })

  it("is refused where the account's calls have made no such response", async () => {
    const refused = await compare("resp_other").catch((error: unknown) => error)
    assert.deepInclude(refused, {
      status: 400,
      type: "invalid_request_error",
      message: "Response with id 'resp_other' not found.",
      param: "prompt_cache_options.comparison_response_id"
    })
  })

  it("is served without where its model knows no such thing", async () => {
    const { admitted, prepared } = await compare("resp_other", "claude-sonnet-4-6")
    assert.strictEqual(admitted.inputTokens, prepared.inputBound)
  })
})

describe("a stream's first hold", () => {
  it.each([
    ["gpt-5.5", 10, 10],
    ["gpt-5.5", 100_000, 2_048],
    // What it thinks beyond the cap comes first.
    ["qwen3.7-plus", 10, 2_048]
  ] as const)("of %s with a cap of %i is for %i tokens", async (id, max_tokens, tokens) => {
    const model = modelNamed(id)
    const { admitted, demand, prepared } = await admit(model, { stream: true, max_tokens })
    assert.strictEqual(demand.wanted, priceOf(model) * BigInt(prepared.inputBound + tokens))
    assert.strictEqual(admitted.cap, max_tokens)
  })
})
