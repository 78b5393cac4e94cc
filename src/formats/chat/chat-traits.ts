/** How chat providers differ from OpenAI in what their requests may hold: all that is known of each, in one place. */
import type { Model } from "../../domain/catalogue.ts"
import { everyFile, type FileKinds } from "../images/file-sources.ts"
import type { Json, JsonObject } from "../json/json.ts"
import { googleSchema } from "./google-schema.ts"
import { kimiSchema } from "./kimi-schema.ts"
import {
  allOrNothing,
  alwaysThinking,
  plainEffort,
  qwenSwitch,
  switchAndEffort,
  type ThinkingDialect,
  thinkingSwitch,
  thinksByEffort,
  threeSteps,
  threeStepsOrNone,
  untold,
  withoutNone
} from "./thinking-dialects.ts"

export interface ChatTraits {
  /** How it is told how much to think, where the model can. */
  readonly thinking: ThinkingDialect
  /** Function tools are taken only with thinking off, and some models want that said. */
  readonly toolsEndThinking: boolean
  readonly toolChoice: ToolChoice
  /** The reasoning of earlier turns goes back: not at all, with calls, which are refused without it, or in every turn. */
  readonly reasoningBack: "left-out" | "with-calls" | "always"
  /** System messages may stand anywhere, or at the beginning alone; Mistral is stricter still. */
  readonly turnOrder: "any" | "system-first" | "mistral"
  /** A user must have spoken before the first call, or at all. */
  readonly userFirst: boolean
  /** Calls carry the signature they came with. */
  readonly signedCalls: boolean
  /** Call ids are nine letters and digits, no more and no less. */
  readonly shortCallIds: boolean
  /** The content of an assistant's turn that says nothing. */
  readonly noText: null | ""
  /** A file is a part of type `file`, or Mistral's own. Source: nextcloud/integration_openai #419. */
  readonly fileParts: "file" | "document_url"
  /** What it does not fetch by its URL. */
  readonly bytesOnly: FileKinds
  /** How finely it can be told to look at an image. */
  readonly imageDetails: ReadonlySet<Json | undefined>
  readonly toolSchema: (schema: JsonObject) => JsonObject
  /** Answers can be bound to a schema; others know a JSON mode alone. */
  readonly schemas: boolean
  readonly sampling: boolean
  /** It takes a name for the caller's own user; others refuse the field, or have none. */
  readonly safetyIdentifiers: boolean
  /** What clients send back of other providers' answers, and it takes for an unknown field of a message. */
  readonly refusedInMessages: ReadonlyArray<string>
  /** Streams end with their usage unasked, and the question is refused as an unknown field. */
  readonly usageUnasked: boolean
  /** What the names of tools begin with. */
  readonly toolNameStart: RegExp
  /**
   * It knows tools that take a text beside functions. Others refuse them: "missing field `function`" (danny-avila/LibreChat
   * #12804), "'function' is a required property" (JiuliNuoyi/CodexRosetta #1).
   */
  readonly customTools: boolean
}

/**
 * What a provider makes of being told which tool to call:
 * - `any`: what OpenAI makes of it.
 * - `no-names`: one tool can not be named, but a call can be forced.
 * - `without-thought`: a call can be forced while thinking is off, and it is on unless told otherwise.
 * - `never-forced`: no call can be forced.
 * - `auto`: nor can calls be forbidden.
 */
export type ToolChoice = "any" | "no-names" | "without-thought" | "never-forced" | "auto"

const others: ChatTraits = {
  thinking: plainEffort,
  toolsEndThinking: false,
  toolChoice: "any",
  reasoningBack: "left-out",
  turnOrder: "any",
  userFirst: false,
  signedCalls: false,
  shortCallIds: false,
  noText: null,
  fileParts: "file",
  bytesOnly: new Set(["document"]),
  imageDetails: new Set(),
  toolSchema: (schema) => schema,
  schemas: true,
  sampling: true,
  safetyIdentifiers: false,
  refusedInMessages: [],
  usageUnasked: false,
  toolNameStart: /^/,
  customTools: false
}

/** Source: docs.x.ai, "Image Understanding"; `ImageURL` in the reference of docs.mistral.ai. Others tell of none. */
const imageDetails: ReadonlySet<Json | undefined> = new Set(["auto", "low", "high"])

const openai: ChatTraits = {
  ...others,
  imageDetails: new Set([...imageDetails, "original"]),
  thinking: thinksByEffort,
  toolsEndThinking: true,
  safetyIdentifiers: true,
  customTools: true
}

/**
 * Tool names "must start with a letter or an underscore" (google-gemini/gemini-cli #2966). "Function call turn comes
 * immediately after a user turn" (google-gemini/gemini-cli #11814).
 */
const google: ChatTraits = {
  ...others,
  thinking: threeSteps,
  userFirst: true,
  signedCalls: true,
  toolSchema: googleSchema,
  toolNameStart: /^[a-zA-Z_]/
}

/** "Must have at least one content element" (langchain-ai/langchain #34140). */
const xai: ChatTraits = { ...others, thinking: threeSteps, noText: "", imageDetails }

/** Of xAI's models only this one can be told not to think: docs.x.ai, "Reasoning". */
const grok43: ChatTraits = { ...xai, thinking: threeStepsOrNone }

/**
 * "Thinking mode does not support this tool_choice" (deepseek-ai/DeepSeek-V3 #1376). Behind a tool's result it wants
 * `reasoning_content` in answers without a call, too, be it empty (openclaw/openclaw #73417).
 */
const deepseek: ChatTraits = {
  ...others,
  thinking: switchAndEffort,
  toolChoice: "without-thought",
  reasoningBack: "always",
  schemas: false
}

/**
 * "Tool choice must be auto" (vectorize-io/hindsight #4246). Without a user's turn "the messages parameter is illegal",
 * code 1214 (diegosouzapw/OmniRoute #11209).
 */
const glm: ChatTraits = {
  ...others,
  userFirst: true,
  thinking: thinkingSwitch,
  toolChoice: "auto",
  reasoningBack: "with-calls",
  schemas: false
}

/** The first that knows efforts, of which it is `max` unless told (esengine/DeepSeek-Reasonix #9642). */
const glm52: ChatTraits = { ...glm, thinking: switchAndEffort }

/** It "always engages in thinking and cannot be disabled", code 1210 (NousResearch/hermes-agent #97286). */
const glm53: ChatTraits = { ...glm, thinking: alwaysThinking }

/**
 * A forced call "is incompatible with thinking enabled" (UKGovernmentBEIS/inspect_ai #5152). Names "must start with a
 * letter" (MoonshotAI/kimi-cli #2531). Images by URL are not supported: platform.kimi.ai, "Use the Kimi Vision Model".
 */
const moonshot: ChatTraits = {
  ...others,
  thinking: thinkingSwitch,
  toolChoice: "without-thought",
  reasoningBack: "with-calls",
  bytesOnly: everyFile,
  toolSchema: kimiSchema,
  toolNameStart: /^[a-zA-Z]/
}

/** It takes no sampling parameters but its own, which change with thinking (HKUDS/nanobot #4967). */
const kimi: ChatTraits = { ...moonshot, sampling: false }

/** Both always think, and Code refuses to be told how. Source: platform.kimi.ai, "Thinking Mode", "Reasoning Effort". */
const kimiK3: ChatTraits = { ...kimi, thinking: alwaysThinking, toolChoice: "no-names" }
const kimiCode: ChatTraits = { ...kimi, thinking: untold, toolChoice: "never-forced" }

/** It refuses to stop thinking (UKGovernmentBEIS/inspect_ai #5233); "only `auto` is supported" (LiveBench/LiveBench #499). */
const muse: ChatTraits = { ...others, thinking: withoutNone, toolChoice: "auto" }

/**
 * The order that `mistral-common` validates; ids as its API's errors tell. `stream_options`: "Extra inputs are not
 * permitted" (avante-corp/avante.nvim #2347), nor is `reasoning_content` (charmbracelet/crush #1590). It fetches documents:
 * docs.mistral.ai, "Document QnA".
 */
const mistral: ChatTraits = {
  ...others,
  thinking: allOrNothing,
  turnOrder: "mistral",
  shortCallIds: true,
  fileParts: "document_url",
  bytesOnly: new Set(),
  imageDetails,
  refusedInMessages: ["reasoning_content"],
  usageUnasked: true
}

/**
 * "Does not support being set to required or object in thinking mode" (cloudwego/eino #994). "System message must be at
 * the beginning", "No user query found in messages": the chat templates of Qwen from 3.5 on. "The content field is a
 * required field", also beside calls (pydantic/pydantic-ai #5287).
 */
const qwen: ChatTraits = {
  ...others,
  thinking: qwenSwitch,
  toolChoice: "without-thought",
  reasoningBack: "with-calls",
  turnOrder: "system-first",
  userFirst: true,
  noText: ""
}

/** By provider and the beginning of the model's name there; the first that fits. */
const known: ReadonlyArray<readonly [provider: string, names: string, traits: ChatTraits]> = [
  ["openai", "", openai],
  ["google", "", google],
  ["xai", "grok-4.3", grok43],
  ["xai", "", xai],
  ["deepseek", "", deepseek],
  ["zai", "glm-5.3", glm53],
  ["zai", "glm-5.2", glm52],
  ["zai", "", glm],
  ["moonshotai", "kimi-k3", kimiK3],
  ["moonshotai", "kimi-k2.7-code", kimiCode],
  ["moonshotai", "kimi-", kimi],
  ["moonshotai", "", moonshot],
  ["meta", "muse-", muse],
  ["mistral", "", mistral],
  ["alibaba", "", qwen]
]

export const chatTraitsOf = ({ upstream }: Model): ChatTraits =>
  known.find(
    ([provider, names]) => provider === upstream.provider && upstream.model.startsWith(names)
  )?.[2] ?? others

/** Where a record of the catalogue does not say it, what is known of the provider holds. */
export const knowsCustomTools = (model: Model): boolean =>
  model.upstream.customTools ?? chatTraitsOf(model).customTools
