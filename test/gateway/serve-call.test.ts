/** However a call ends: one row, nothing held any more, and a caller who is told no more than the contract says. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import type { CallRecord } from "../../src/domain/call.ts"
import type { AccountId, KeyId } from "../../src/domain/ids.ts"
import { generateKeySecret } from "../../src/domain/api-key.ts"
import { admit } from "../../src/gateway/admission.ts"
import type { Client } from "../../src/gateway/Client.ts"
import type { IdentifiedCall, ResolvedCall } from "../../src/gateway/Call.ts"
import { type CallError, invalidRequest } from "../../src/gateway/CallError.ts"
import type { GatewayShape } from "../../src/gateway/Gateway.ts"
import { type Serve, serveCall } from "../../src/gateway/serve-call.ts"
import { settle } from "../../src/gateway/settle.ts"
import { ThreadMetrics } from "../../src/telemetry/ThreadMetrics.ts"
import { claudeModel } from "../wire/models.ts"

const identity = { accountId: "acc_1" as AccountId, keyId: "key_1" as KeyId, secret: 0 }
/** By another clock than this machine's. */
const datedMs = Date.UTC(2031, 5, 1)
const charge = { usage: { inputTokens: 3, outputTokens: 4 }, units: 1, estimated: false }

const setUp = (apiKey = generateKeySecret()) => {
  const rows: Array<CallRecord> = []
  const problems: Array<unknown> = []
  const lines: Array<{ readonly status: number }> = []
  const strangers: Array<{ readonly status: number }> = []
  const answers: Array<{ readonly status: number; readonly body: string }> = []
  const ledger = {
    dateMs: () => datedMs,
    identify: () => Effect.succeed(identity),
    checkFunds: () => Effect.succeed({ _tag: "Admitted", granted: 0n }),
    admitUnsafe: () => Effect.succeed({ _tag: "Admitted", granted: 10n }),
    settle: (record: CallRecord) => Effect.sync(() => void rows.push(record)),
    record: (record: CallRecord) => void rows.push(record)
  }
  const gateway = {
    ledger,
    metrics: new ThreadMetrics(),
    tracing: { begin: () => undefined },
    log: {
      call: (line: { readonly status: number }) => lines.push(line),
      stranger: (line: () => { readonly status: number }) => strangers.push(line()),
      problem: (_text: string, details: unknown) => problems.push(details)
    }
  } as unknown as GatewayShape
  const drops = { count: 0 }
  const client = {
    headers: { apiKey, authorization: "", traceParent: "" },
    drop: () => drops.count++,
    respond: (status: number, _headers: unknown, body: string) => answers.push({ status, body }),
    countBodyFor: () => {}
  } as unknown as Client
  const serve = (how: Serve) => serveCall(gateway, client, "messages", how)
  return { answers, client, drops, gateway, lines, problems, rows, serve, strangers }
}

const hold = (gateway: GatewayShape, identified: IdentifiedCall): Effect.Effect<ResolvedCall, CallError> => {
  const call = identified.resolve(
    { model: claudeModel(), mappedFrom: undefined },
    { models: [], withdrawn: [] }
  )
  return Effect.as(admit(gateway, call, { minimum: 1n, wanted: 10n }), call)
}

describe("a call", () => {
  it.effect("that ends well has its one row, charged, of the ledger's date", () =>
    Effect.gen(function* () {
      const { lines, rows, serve } = setUp()
      yield* serve((gateway, call) =>
        Effect.asVoid(Effect.flatMap(hold(gateway, call), (held) => settle(gateway, held, charge)))
      )
      assert.deepStrictEqual(
        rows.map(({ atMs, cost, status }) => [status, cost, atMs]),
        [[200, 7_000n, datedMs]]
      )
      assert.deepStrictEqual(
        lines.map(({ status }) => status),
        [200]
      )
    })
  )

  it.effect(
    "that a fault of ours breaks is 502, free, and tells the operator why and the caller nothing",
    () =>
      Effect.gen(function* () {
        const { answers, gateway, lines, problems, rows, serve } = setUp()
        yield* serve((shape, call) =>
          Effect.andThen(hold(shape, call), Effect.die(new Error("a secret of the inside")))
        )
        assert.deepStrictEqual(
          rows.map(({ cost, errorType, status }) => [status, errorType, cost]),
          [[502, "api_error", 0n]]
        )
        assert.lengthOf(lines, 1)
        assert.include(JSON.stringify(problems), "a secret of the inside")
        assert.deepStrictEqual(
          answers.map(({ status }) => status),
          [502]
        )
        assert.notInclude(answers[0]!.body, "secret")
        assert.strictEqual(gateway.metrics.openCalls, 0)
      })
  )

  it.effect(
    "that a fault of ours breaks after its stream has begun is cut off, so that it never looks whole",
    () =>
      Effect.gen(function* () {
        const { answers, drops, rows, serve } = setUp()
        yield* serve((gateway, call) =>
          Effect.gen(function* () {
            yield* hold(gateway, call)
            call.noteFirstByte(Date.now())
            return yield* Effect.die(new Error("a fault of ours"))
          })
        )
        assert.deepStrictEqual(answers, [])
        assert.strictEqual(drops.count, 1)
        assert.deepStrictEqual(
          rows.map(({ cost, status }) => [status, cost]),
          [[502, 0n]]
        )
      })
  )

  it.effect("that breaks after it was charged stays charged, and has no second row", () =>
    Effect.gen(function* () {
      const { rows, serve } = setUp()
      yield* serve((gateway, call) =>
        Effect.gen(function* () {
          const held = yield* hold(gateway, call)
          yield* settle(gateway, held, charge)
          return yield* Effect.die(new Error("a fault of ours"))
        })
      )
      assert.deepStrictEqual(
        rows.map(({ cost }) => cost),
        [7_000n]
      )
    })
  )

  it.effect("that is refused has one row with its error, and costs nothing", () =>
    Effect.gen(function* () {
      const { answers, rows, serve } = setUp()
      yield* serve((gateway, call) =>
        Effect.andThen(hold(gateway, call), Effect.fail(invalidRequest("no", "n")))
      )
      assert.deepStrictEqual(
        rows.map(({ cost, errorType, status }) => [status, errorType, cost]),
        [[400, "invalid_request_error", 0n]]
      )
      assert.lengthOf(answers, 1)
    })
  )

  it.effect("that is left before anything was owed is logged as left, and nobody is answered", () =>
    Effect.gen(function* () {
      const { answers, rows, serve } = setUp()
      const going = yield* Effect.forkChild(
        serve((gateway, call) => Effect.andThen(hold(gateway, call), Effect.never)),
        { startImmediately: true }
      )
      yield* Fiber.interrupt(going)
      assert.deepStrictEqual(
        rows.map(({ cost, errorType, status }) => [status, errorType, cost]),
        [[499, "client_closed_request", 0n]]
      )
      assert.deepStrictEqual(answers, [])
    })
  )

  it.effect("that we end, with its client there, is answered as restarting", () =>
    Effect.gen(function* () {
      const { answers, client, gateway, rows, serve } = setUp()
      Object.assign(client, { isOpen: true })
      const going = yield* Effect.forkChild(
        serve((_, call) => Effect.andThen(hold(gateway, call), Effect.never)),
        { startImmediately: true }
      )
      yield* Fiber.interrupt(going)
      assert.deepStrictEqual(
        rows.map(({ cost, errorType, status }) => [status, errorType, cost]),
        [[503, "service_unavailable", 0n]]
      )
      assert.deepStrictEqual(
        answers.map(({ status }) => status),
        [503]
      )
    })
  )

  it.effect("of nobody known has no row", () =>
    Effect.gen(function* () {
      const { answers, lines, rows, serve, strangers } = setUp("sk-tg-mistyped")
      yield* serve(() => Effect.die("it must not be served"))
      assert.deepStrictEqual(rows, [])
      assert.deepStrictEqual(
        answers.map(({ status }) => status),
        [401]
      )
      assert.lengthOf(strangers, 1)
      assert.deepStrictEqual(lines, [])
    })
  )
})
