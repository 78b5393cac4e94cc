/**
 * What operators do to the routes to providers: they add their own, change and remove these, and pause and weigh any. Once it
 * returns, every node does as it says.
 */
import { Clock, Effect, Schema } from "effect"
import { hash } from "node:crypto"
import { base62, randomBase62, toBase62 } from "../domain/base62.ts"
import { routeModelsMax, routePriorityMax } from "../domain/field-limits.ts"
import type { RouteSetting } from "../domain/route-changes.ts"
import * as AddedRouteStore from "../storage/routes/AddedRouteStore.ts"
import type { RouteFields, SealedKey } from "../storage/routes/AddedRouteStore.ts"
import { Database } from "../storage/Database.ts"
import { writeRouteSetting } from "../storage/routes/RouteStore.ts"
import { awaitNodes } from "./await-nodes.ts"
import { problemOfBase, sealRouteKey } from "./open-route.ts"
import { SealKeys } from "./SealKeys.ts"

/** `reason` may be told to whoever gave it. */
export class RouteRefused extends Schema.TaggedError<RouteRefused>()("RouteRefused", {
  reason: Schema.String
}) {
  override get message() {
    return `The route is refused: ${this.reason}`
  }
}

export class RouteNotFound extends Schema.TaggedError<RouteNotFound>()("RouteNotFound", {}) {
  override get message() {
    return "There is no such route"
  }
}

export class TooManyRoutes extends Schema.TaggedError<TooManyRoutes>()("TooManyRoutes", {}) {
  override get message() {
    return "There are as many added routes as there may be"
  }
}

interface AskedRoute extends RouteFields {
  /** Empty: none is sent. */
  readonly key: string
}

const keyLengthMax = 1_000
const urlLengthMax = 500
const hintLength = 4

const checkFields = (
  { baseUrl, models = [], priority = 1 }: Partial<Omit<RouteFields, "provider">>,
  privateRanges: ReadonlyArray<string>
): string | undefined => {
  if (models.length > routeModelsMax) return "it names too many models"
  if (!Number.isInteger(priority) || priority < 1 || priority > routePriorityMax)
    return "its priority is none"
  if (baseUrl === undefined) return undefined
  return baseUrl.length > urlLengthMax ? "its address is too long" : problemOfBase(baseUrl, privateRanges)
}

const isKey = (key: string): boolean => key.length <= keyLengthMax && /^[\x21-\x7e]+$/.test(key)

/** So short a key would nearly be told by its last characters. */
const hintOf = (key: string): string => (key.length < 4 * hintLength ? "" : key.slice(-hintLength))

const seal = Effect.fnUntraced(function* (id: string, key: string) {
  if (!isKey(key)) return yield* new RouteRefused({ reason: "its key can not be sent in a header" })
  const sealed: SealedKey = { ...sealRouteKey(yield* SealKeys, id, key), hint: hintOf(key) }
  return sealed
})

/** `name`: added again under it, the route is the same one, as it was asked for last. */
export const addRoute = Effect.fn("addRoute")(function* (
  asked: AskedRoute,
  privateRanges: ReadonlyArray<string>,
  actor: string,
  name?: string
) {
  const reason = checkFields(asked, privateRanges)
  if (reason !== undefined) return yield* new RouteRefused({ reason })
  const ending = name === undefined ? newEnding(yield* Clock.currentTimeMillis) : endingOf(name)
  const id = `${asked.provider}+${ending}`
  const key = asked.key === "" ? undefined : yield* seal(id, asked.key)
  const { models, priority, provider } = asked
  const database = yield* Database
  const eventId = yield* database.run("add route", (sql) =>
    AddedRouteStore.insertRoute(sql, { id, provider, baseUrl: trimmed(asked), models, priority, key, actor })
  )
  if (eventId === undefined) return yield* new TooManyRoutes()
  if (eventId === AddedRouteStore.removed) return yield* new RouteRefused({ reason: "it was removed again" })
  yield* awaitNodes(eventId)
  return id
})

const newEnding = (nowMs: number): string => toBase62(nowMs, 8) + randomBase62(4)

const endingOf = (name: string): string =>
  [...hash("sha256", name, "buffer").subarray(0, 12)].map((byte) => base62[byte % 62]).join("")

/** What is not given stays as it is, and an empty key leaves the one there is. */
export const changeRoute = Effect.fn("changeRoute")(function* (
  id: string,
  { key: given = "", ...asked }: Partial<Omit<AskedRoute, "provider">>,
  privateRanges: ReadonlyArray<string>,
  actor: string
) {
  const reason = checkFields(asked, privateRanges)
  if (reason !== undefined) return yield* new RouteRefused({ reason })
  const { baseUrl } = asked
  const fields = { ...asked, ...(baseUrl !== undefined && { baseUrl: trimmed({ baseUrl }) }) }
  const key = given === "" ? undefined : yield* seal(id, given)
  const database = yield* Database
  const eventId = yield* database.run("change route", (sql) =>
    AddedRouteStore.updateRoute(sql, { id, fields, key, actor })
  )
  if (eventId === undefined) return yield* new RouteNotFound()
  if (eventId === AddedRouteStore.keyNeeded)
    return yield* new RouteRefused({ reason: "its key must be given anew for a new address" })
  yield* awaitNodes(eventId)
})

export const removeRoute = Effect.fn("removeRoute")(function* (id: string, actor: string) {
  const database = yield* Database
  const eventId = yield* database.run("remove route", (sql) => AddedRouteStore.removeRoute(sql, id, actor))
  if (eventId === undefined) return yield* new RouteNotFound()
  yield* awaitNodes(eventId)
})

/** Of any route, added or configured; what is not given stays as it is. */
export const setRouteSetting = Effect.fn("setRouteSetting")(function* (
  route: string,
  change: Partial<RouteSetting>,
  actor: string
) {
  const database = yield* Database
  const eventId = yield* database.run("write route setting", (sql) =>
    writeRouteSetting(sql, route, change, actor)
  )
  if (eventId === undefined) return yield* new RouteNotFound()
  yield* awaitNodes(eventId)
})

const trimmed = ({ baseUrl }: Pick<RouteFields, "baseUrl">): string => baseUrl.replace(/\/+$/, "")
