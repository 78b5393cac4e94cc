/** A client's request as it would go up to a model of the catalogue. */
import { modelNamed } from "../catalogue.ts"
import { Result } from "effect"
import type { Model } from "../../src/domain/catalogue.ts"
import type { TextEndpoint } from "../../src/domain/call.ts"
import type { InvalidRequest } from "../../src/formats/json/fields.ts"
import type { JsonObject } from "../../src/formats/json/json.ts"
import { scanMembers } from "../../src/formats/json/scan.ts"
import { pairOf, type Way, wayOfCall, wayTo } from "../../src/formats/pairs.ts"
import type { Sent } from "./provider-refusal.ts"

export interface ConvertedRequest extends Sent {
  readonly way: Way
  /** Images by address, which the gateway would fetch. */
  readonly isWhole: boolean
}

export const convertRequest = (
  endpoint: TextEndpoint,
  modelId: string,
  request: JsonObject
): Result.Result<ConvertedRequest, InvalidRequest> => {
  const model: Model = modelNamed(modelId)
  const bytes = Buffer.from(JSON.stringify({ ...request, model: modelId }))
  const parsed = JSON.parse(bytes.toString()) as JsonObject
  const way = wayOfCall(wayTo(endpoint, model)!, parsed, model)
  const pair = pairOf(way)
  const made = pair.request({ parsed, bytes, members: scanMembers(bytes)! }, { model, anthropicBeta: "" })
  return Result.map(made, ({ bytes: sent, missingFiles }) => {
    const address = pair.address({ stream: false, query: "", ...noHeaders })
    const isKeyed = address._tag === "Keyed"
    return {
      way,
      isWhole: missingFiles.length === 0,
      path: isKeyed ? address.path : `/model/${model.upstream.model}/${address.operation}`,
      headers: isKeyed ? { ...address.headers, authorization: "Bearer k" } : {},
      body: JSON.parse(Buffer.from(sent).toString()) as JsonObject
    }
  })
}

const noHeaders = { anthropicVersion: "", anthropicBeta: "", codexResponsesLite: "" }
