/** What one gateway thread takes of the machine. */
import { assert, describe, it } from "@effect/vitest"
import { execFileSync } from "node:child_process"
import { totalmem } from "node:os"
import { afterEach, vi } from "vitest"
import type { AccountId } from "../../src/domain/ids.ts"
import { capacityOf, readMachine } from "../../src/http/capacity.ts"
import { Edge } from "../../src/http/Edge.ts"
import { settingsWith } from "./settings-with.ts"

const machine = { memory: 8_000, descriptors: 1_128 }

afterEach(() => void vi.restoreAllMocks())

describe("the machine", () => {
  it.each([
    ["none", 0, totalmem()],
    ["a container", 1_000, 1_000],
    ["one beyond the machine", 2 ** 60, totalmem()]
  ])("has the memory that %s leaves it", (_, constrained, memory) => {
    vi.spyOn(process, "constrainedMemory").mockReturnValue(constrained)
    assert.strictEqual(readMachine().memory, memory)
  })

  it("has as many descriptors as this process may open", () => {
    const shown = execFileSync("sh", ["-c", "ulimit -n"], { encoding: "utf8" }).trim()
    const expected = process.platform === "linux" && shown !== "unlimited" ? Number(shown) : Infinity
    assert.strictEqual(readMachine().descriptors, expected)
  })
})

describe("the memory for bodies", () => {
  it("is the thread's share of the machine's, with room for some bodies of full size", () => {
    const of = (memory: number) =>
      capacityOf(settingsWith({}, { gatewayThreads: 2 }), { ...machine, memory }).bodies
    assert.deepStrictEqual(of(8_000), { bytes: 500, bytesPerAccount: 250 })
    assert.deepStrictEqual(of(8), { bytes: 80, bytesPerAccount: 40 })
  })

  it("is that of the settings where they say so", () => {
    const all = capacityOf(settingsWith({ maxBufferedBytes: 100 }), machine)
    assert.deepStrictEqual(all.bodies, { bytes: 100, bytesPerAccount: 50 })
    const both = settingsWith({ maxBufferedBytes: 100, maxBufferedBytesPerAccount: 7 })
    assert.deepStrictEqual(capacityOf(both, machine).bodies, { bytes: 100, bytesPerAccount: 7 })
  })
})

describe("the edge", () => {
  it("keeps to settings that are read again", () => {
    let settings = settingsWith({ maxBufferedBytes: 100 })
    const edge = new Edge({ settings: () => settings, machine, openCalls: () => 0, onClosed: () => {} })
    const account = "acc_1" as AccountId
    assert.isFalse(edge.memory.hasRoom(account, 60))
    settings = settingsWith({ maxBufferedBytes: 200 })
    assert.isTrue(edge.memory.hasRoom(account, 60))
  })
})

describe("the descriptors for connections", () => {
  it("are the thread's share of what the process may open, but for those of others", () => {
    const { connections } = capacityOf(settingsWith({}, { gatewayThreads: 4 }), machine)
    assert.strictEqual(connections.descriptors, 250)
    assert.strictEqual(connections.perAddress("198.51.100.1"), 125)
  })

  it("are never all for others", () => {
    const { connections } = capacityOf(settingsWith({}), { ...machine, descriptors: 100 })
    assert.strictEqual(connections.descriptors, 50)
  })

  const boundOf = (proxies: ReadonlyArray<string> | undefined, trustProxy: boolean, address: string) =>
    capacityOf(
      settingsWith({ maxConnectionsPerAddress: 9, proxies }, { trustProxy }),
      machine
    ).connections.perAddress(address)

  it.each([
    ["an outsider", undefined, false, "198.51.100.1", 9],
    ["whoever runs on the machine", undefined, false, "127.0.0.1", Infinity],
    [
      "whoever runs on the machine, over IPv6",
      undefined,
      false,
      "0000:0000:0000:0000:0000:0000:0000:0001",
      Infinity
    ],
    ["another loopback address", undefined, false, "127.0.0.2", 9],
    ["whoever connects where a proxy is trusted and none named", undefined, true, "198.51.100.1", Infinity],
    ["a proxy that is named", ["198.51.100.1"], true, "198.51.100.1", Infinity],
    ["an outsider where proxies are named", ["198.51.100.1"], true, "198.51.100.2", 9],
    ["a proxy in a range", ["10.0.0.0/8"], false, "10.1.2.3", Infinity],
    [
      "a proxy in a range of IPv6",
      ["2001:db8::/32"],
      false,
      "2001:0db8:0000:0000:0000:0000:0000:0001",
      Infinity
    ],
    ["an outsider beside a range", ["2001:db8::/32"], false, "2001:0db9:0000:0000:0000:0000:0000:0001", 9],
    ["whoever runs on the machine where others are named", ["10.0.0.0/8"], false, "127.0.0.1", 9]
  ] as const)("%s may have as many as it should", (_, proxies, trustProxy, address, bound) => {
    assert.strictEqual(boundOf(proxies, trustProxy, address), bound)
  })
})
