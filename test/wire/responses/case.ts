/** The cases of ../shared/oracle-responses; its INDEX.md tells their format. */
import { existsSync, globSync, readFileSync } from "node:fs"
import type { Json, JsonObject } from "../../../src/formats/json/json.ts"
import { sharedPath } from "../../shared-folder.ts"

const casesFolder = sharedPath("oracle-responses")

export type ClientProtocol = "responses" | "messages" | "chat" | "count_tokens"

/** What the scripted upstream gives; a right answer that says "pong" where nothing is told. */
export interface ScriptedAnswer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Json
  readonly messages?: ReadonlyArray<JsonObject>
  readonly responses?: ReadonlyArray<JsonObject>
  readonly chunks?: ReadonlyArray<JsonObject>
  readonly converse?: ReadonlyArray<readonly [type: string, payload: JsonObject]>
  readonly invoke?: ReadonlyArray<JsonObject>
  readonly calls?: ReadonlyArray<readonly [place: number, input: JsonObject]>
  readonly done?: boolean
  readonly chunking?: "whole" | "event" | "random" | "byte"
}

export interface Step {
  readonly client?: ClientProtocol
  readonly model?: string
  readonly path?: string
  readonly request?: JsonObject
  readonly request_fixture?: string
  readonly answer?: ScriptedAnswer
  readonly upstream?: JsonObject
  readonly got?: JsonObject
  readonly charged?: 0 | { readonly input: number; readonly output: number }
  readonly may_refuse?: string | ReadonlyArray<string>
}

export interface ResponsesCase {
  readonly id: number
  readonly slug: string
  readonly direction: string
  readonly client?: ClientProtocol
  readonly model: string
  readonly steps: ReadonlyArray<Step>
}

export const readCases = (): ReadonlyArray<ResponsesCase> =>
  existsSync(casesFolder)
    ? globSync(`${casesFolder}/*.json`)
        .toSorted()
        .map((file) => JSON.parse(readFileSync(file, "utf8")) as ResponsesCase)
    : []

/** The body of a recorded client request. */
export const fixtureBody = (name: string): JsonObject => {
  const { request } = JSON.parse(readFileSync(sharedPath(`fixtures/${name}.json`), "utf8")) as {
    readonly request: { readonly body: JsonObject }
  }
  return request.body
}
