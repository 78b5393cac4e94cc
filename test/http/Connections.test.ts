/** Which connections make room for others, and that none is touched that is gone, or closed that is of use. */
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { afterEach, beforeEach, vi } from "vitest"
import { type ConnectionBounds, Connections } from "../../src/http/Connections.ts"
import { FakeSocket } from "./FakeSocket.ts"

const start = (descriptors: number, perAddress = Infinity) => {
  const bounds: ConnectionBounds = { descriptors, perAddress: () => perAddress }
  const closed: Array<string> = []
  let calls = 0
  const connections = new Connections(
    () => bounds,
    () => calls,
    (reason) => closed.push(reason)
  )
  const open = (count: number, address = 1) =>
    Array.from({ length: count }, () => new FakeSocket(connections, address))
  return { connections, closed, open, setCalls: (count: number) => (calls = count) }
}

const answered = (socket: FakeSocket, isKnown: boolean) => {
  socket.request("whole")
  socket.occupied!.isKnown = isKnown
  socket.answer()
}

const aliveOf = (sockets: ReadonlyArray<FakeSocket>) => sockets.map(({ alive }) => alive)

describe("connections, when descriptors run short", () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it("make room as soon as they have rested a while, the oldest first", () => {
    const { closed, open } = start(80)
    const old = open(70)
    vi.advanceTimersByTime(2_000)
    const [newcomer] = open(1)
    assert.isTrue(newcomer!.alive)
    assert.deepStrictEqual(closed, ["descriptors", "descriptors"])
    assert.deepStrictEqual(aliveOf(old.slice(0, 3)), [false, false, true])
  })

  it("are left the time to ask for something, as long as any are left", () => {
    const { closed, open } = start(80)
    open(80)
    assert.lengthOf(closed, 0)
    const [newcomer] = open(1)
    assert.isTrue(newcomer!.alive)
    assert.lengthOf(closed, 2)
  })

  it("are spared while a request is under way, and strangers go before those that have paid", () => {
    const { closed, open } = start(8)
    const [busy, payer, stranger] = open(3)
    busy!.request("whole")
    answered(payer!, true)
    vi.advanceTimersByTime(2_000)
    open(6)
    assert.deepStrictEqual(aliveOf([busy!, payer!, stranger!]), [true, true, false])
    assert.isAbove(closed.length, 0)
  })

  it("are not touched while it can not be told which of an address has a request, and are once it can", () => {
    const { closed, open } = start(4)
    const [late, silent] = open(2)
    late!.request("late")
    open(4, 2)
    assert.deepStrictEqual(aliveOf([late!, silent!]), [true, true])
    late!.answer()
    late!.request("whole")
    late!.answer()
    open(4, 2)
    assert.isFalse(late!.alive)
    assert.isAbove(closed.length, 0)
  })

  it("are all left alone before that, however long they have rested", () => {
    const { closed, open } = start(80)
    open(69)
    vi.advanceTimersByTime(20_000)
    open(1)
    assert.lengthOf(closed, 0)
  })

  it("make room also where all have paid, the oldest first", () => {
    const { closed, open } = start(8)
    const payers = open(8)
    for (const payer of payers) answered(payer, true)
    assert.isTrue(open(1)[0]!.alive)
    assert.deepStrictEqual(aliveOf(payers.slice(0, 3)), [false, false, true])
    assert.lengthOf(closed, 2)
  })

  it("let a newcomer in for the one that is of no use", () => {
    const { open } = start(8)
    const [resting, ...busy] = open(8)
    for (const socket of busy) socket.request("whole")
    assert.deepStrictEqual(aliveOf([...open(1), resting!]), [true, false])
  })

  it.each(["whole", "late"] as const)(
    "are not closed for the call that has just come on them (%s)",
    (kind) => {
      const { connections, open, setCalls } = start(8)
      const [customer] = open(1)
      setCalls(8)
      customer!.request(kind)
      connections.waitNoLonger()
      assert.isTrue(customer!.alive)
    }
  )

  it("are refused only where all others are of use", () => {
    const { closed, open } = start(8)
    for (const socket of open(8)) socket.request("whole")
    const [refused] = open(1)
    assert.isFalse(refused!.alive)
    assert.deepStrictEqual(closed, ["descriptors"])
  })

  it("count the calls' own to providers", () => {
    const { connections, open, setCalls } = start(80)
    open(40)
    vi.advanceTimersByTime(2_000)
    setCalls(60)
    for (let turn = 0; turn < 10; turn++) open(1)
    assert.isBelow(connections.open, 40)
  })

  it.each(["whole", "late"] as const)(
    "make room for a call's own, also where nobody comes anew (%s)",
    (kind) => {
      const { connections, open, setCalls } = start(80)
      const [customer] = open(1)
      open(59, 2)
      vi.advanceTimersByTime(2_000)
      setCalls(30)
      customer!.request(kind)
      connections.waitNoLonger()
      assert.strictEqual(connections.open, 58)
      assert.isTrue(customer!.alive)
    }
  )

  it("of one address are no more than it may have", () => {
    const { closed, connections, open } = start(1_000, 5)
    const flood = open(20, 1)
    assert.deepStrictEqual(aliveOf(flood.slice(4, 6)), [true, false])
    assert.isTrue(open(1, 2)[0]!.alive)
    assert.deepStrictEqual([...new Set(closed)], ["address"])
    assert.strictEqual(connections.open, 6)
    flood[0]!.leave()
    assert.isTrue(open(1, 1)[0]!.alive)
  })
})

describe("connections at rest", () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  /** As a server does it. */
  const pass = (connections: Connections, seconds: number) => {
    for (let quarter = 0; quarter < seconds * 4; quarter++) {
      vi.advanceTimersByTime(250)
      connections.keepResting()
    }
  }

  it("are kept for ten minutes where they have carried a call, others not at all", () => {
    const { connections, open } = start(100)
    const [customer, stranger, silent] = open(3)
    answered(customer!, true)
    answered(stranger!, false)
    pass(connections, 60)
    assert.deepStrictEqual([customer!.kept, stranger!.kept, silent!.kept], [15, 0, 0])
    pass(connections, 560)
    assert.strictEqual(customer!.kept, 155)
    pass(connections, 60)
    assert.strictEqual(customer!.kept, 155)
  })

  it("have their time anew with each call, and are left alone while one is under way", () => {
    const { connections, open } = start(100)
    const [customer] = open(1)
    answered(customer!, true)
    pass(connections, 700)
    const { kept } = customer!
    customer!.request("whole")
    pass(connections, 700)
    assert.strictEqual(customer!.kept, kept)
    customer!.answer()
    pass(connections, 10)
    assert.strictEqual(customer!.kept, kept + 2)
  })

  it("are kept some at a time where they are many, none of them too late", () => {
    const { connections, open } = start(10_000)
    const many = open(5_000)
    for (const socket of many) answered(socket, true)
    vi.advanceTimersByTime(4_000)
    connections.keepResting()
    assert.strictEqual(many.filter(({ kept }) => kept > 0).length, 500)
    pass(connections, 3)
    assert.isTrue(many.every(({ kept }) => kept === 1))
  })

  it("are kept also beside requests in chunks of their address whose first one tells on which it came", () => {
    const { connections, open } = start(100)
    const [busy, later, resting] = open(3)
    for (const socket of [busy!, later!, resting!]) answered(socket, true)
    busy!.request("in chunks")
    later!.request("late")
    later!.answer()
    pass(connections, 20)
    assert.deepStrictEqual([busy!.kept, later!.kept, resting!.kept], [0, 5, 5])
  })

  it("that are told more of a request that is over are not taken for a late one's", () => {
    const [ending, late] = start(100).open(2)
    ending!.request("whole")
    ending!.answerEarly()
    late!.request("late")
    ending!.more()
    assert.isUndefined(late!.occupied)
    late!.more()
    assert.isDefined(late!.occupied)
  })

  it("are left to themselves while it can not be told which of an address has a request", () => {
    const { connections, open } = start(100)
    const [late, resting, elsewhere] = [...open(2), ...open(1, 2)]
    for (const socket of [late!, resting!, elsewhere!]) answered(socket, true)
    late!.request("late")
    pass(connections, 20)
    assert.deepStrictEqual([late!.kept, resting!.kept, elsewhere!.kept], [0, 0, 5])
    answered(resting!, true)
    pass(connections, 20)
    assert.strictEqual(resting!.kept, 5)
  })
})

const Step = Schema.Struct({
  socket: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 7 })),
  act: Schema.Literals([
    "open",
    "open",
    "whole",
    "in chunks",
    "late",
    "more",
    "answer",
    "answer",
    "early",
    "leave",
    "keep"
  ])
})

describe("a connection", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }))
  afterEach(() => void vi.useRealTimers())

  it.prop(
    "is closed or kept only while nothing is on it, and never touched when it is gone, whatever happens in whatever order",
    [Schema.Array(Step).check(Schema.isMinLength(60), Schema.isMaxLength(120))],
    ([steps]) => {
      const { connections } = start(3, 5)
      const sockets: Array<FakeSocket | undefined> = []
      const all: Array<FakeSocket> = []
      for (const { act, socket } of steps) {
        const one = sockets[socket]
        if (act === "open" && one?.alive !== true) {
          all.push((sockets[socket] = new FakeSocket(connections, socket % 2)))
        } else if (act === "whole" || act === "in chunks" || act === "late") {
          one?.request(act)
          if (one?.occupied !== undefined) one.occupied.isKnown = socket % 3 > 0
        } else if (act === "more") one?.more()
        else if (act === "answer") one?.answer()
        else if (act === "early") one?.answerEarly()
        else if (act === "leave") one?.leave()
        else if (act === "keep") {
          vi.advanceTimersByTime(5_000)
          connections.keepResting()
        }
        assert.strictEqual(connections.open, all.filter(({ alive }) => alive).length)
      }
      for (const socket of all) socket.leave()
      // Every address is free again: none counts what is gone.
      for (let count = 0; count < 3; count++) assert.isTrue(new FakeSocket(connections, 1).alive)
    },
    { arbitrary: { runs: 300 } }
  )
})
