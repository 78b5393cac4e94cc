/**
 * The upper bound of a request's input tokens that a hold covers. Synchronous and quick: one walk over the body, no
 * tokenizer. What the provider reports may exceed it only for texts made to do so.
 */
import type { Model } from "../domain/catalogue.ts"
import type { JsonObject } from "../formats/json.ts"
import { measureInput } from "./measure-input.ts"
import type { Endpoint } from "./read-request.ts"

export const estimateInputTokens = (_endpoint: Endpoint, body: JsonObject, model: Model): number =>
  measureInput(body, model).bound
