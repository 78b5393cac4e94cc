/** What the providers refuse for which model, by the names that the providers use. */
import { readFileSync } from "node:fs"
import { Catalogue, type Refusal } from "../domain/catalogue.ts"

const catalogue = new Catalogue(
  JSON.parse(readFileSync(new URL("../domain/catalogue.json", import.meta.url), "utf8"))
)

interface KnownModel {
  readonly refuses: ReadonlySet<Refusal>
  readonly maxOutputTokens: number | null
}

const known = new Map<string, KnownModel>(
  catalogue.models.map((model) => [
    model.upstream.model,
    { refuses: model.upstream.refuses, maxOutputTokens: model.maxOutputTokens }
  ])
)

const unknown: KnownModel = { refuses: new Set(), maxOutputTokens: null }

/** An inference profile's region stands before a Bedrock model's own name. */
const profile = /^(global|us|eu|apac|jp|au|us-gov)\./

export const knownModel = (name: string): KnownModel =>
  known.get(name) ?? known.get(name.replace(profile, "")) ?? unknown

/** Names that can only be a mistake: a gateway's own prefixes, or a test's. */
export const isMissing = (name: string): boolean => /^(svc|req)\/|does-not-exist/.test(name)

export const modelNames: ReadonlyArray<string> = [...known.keys()]

/** The families whose own parameters and limits are known here; other chat providers let more through. */
export const isOpenai = (model: string): boolean => /^(gpt-|o\d|chatgpt|text-|dall-e)/.test(model)
export const isMistral = (model: string): boolean => model.startsWith("mistral-")
/** The same for who speaks Messages beside Claude. */
export const isMinimax = (model: string): boolean => model.startsWith("MiniMax-")
export const isClaude = (model: string): boolean => /(^|[./])(anthropic\.)?claude-/.test(model)
/** OpenAI's models that think. */
export const isReasoning = (model: string): boolean => /^(gpt-([5-9]|\d\d)|o\d)/.test(model)
