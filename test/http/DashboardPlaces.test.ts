/** Who floods the dashboard leaves descriptors to calls, and places to others. */
import { assert, describe, it } from "@effect/vitest"
import { DashboardPlaces, type Place } from "../../src/http/DashboardPlaces.ts"

const proxy = "127.0.0.1"
const placesOf = (descriptors: number) =>
  new DashboardPlaces(() => ({
    descriptors,
    perAddress: (address) => (address === proxy ? Infinity : 1_000)
  }))

/** As many as there are, of these callers in turn. */
const takeAll = (
  places: DashboardPlaces,
  ...callers: ReadonlyArray<readonly [string | undefined, string]>
) => {
  const taken: Array<Place> = []
  for (const [told, remote] of callers)
    for (let place = places.take(told, remote); place !== undefined; place = places.take(told, remote))
      taken.push(place)
  return taken
}

describe("places of requests for the dashboard", () => {
  it("are a part of the descriptors, between bounds", () => {
    for (const [descriptors, count] of [
      [10, 16],
      [1_600, 100],
      [1e9, 256]
    ] as const)
      assert.lengthOf(takeAll(placesOf(descriptors), [undefined, proxy]), count)
  })

  it("are taken by one address up to a half, be it told by a proxy or the connection's own", () => {
    assert.lengthOf(takeAll(placesOf(1_600), [undefined, "192.0.2.1"]), 50)
    assert.lengthOf(takeAll(placesOf(1_600), ["192.0.2.1", proxy]), 50)
    assert.lengthOf(takeAll(placesOf(1_600), ["192.0.2.1", proxy], [undefined, "192.0.2.2"]), 100)
  })

  it("are taken by one network of IPv6 up to a half, however many addresses it has", () => {
    const callers = (network: string) =>
      [1, 2, 3].map((host) => [undefined, `2001:db8:0:${network}::${host}`] as const)
    assert.lengthOf(takeAll(placesOf(1_600), ...callers("a")), 50)
    assert.lengthOf(takeAll(placesOf(1_600), ...callers("a"), ...callers("b")), 100)
  })

  it("are free again, once each, when a request is over or its answer goes on for long", () => {
    const places = placesOf(1_600)
    const taken = takeAll(places, [undefined, "192.0.2.1"])
    taken[0]!.leave()
    taken[0]!.leave()
    taken[1]!.letGo()
    // Its descriptors are taken still.
    assert.strictEqual(places.descriptors, 98)
    assert.lengthOf(takeAll(places, [undefined, "192.0.2.1"]), 2)
    taken[1]!.leave()
    assert.strictEqual(places.descriptors, 100)
    assert.isUndefined(places.take(undefined, "192.0.2.1"))
  })
})
