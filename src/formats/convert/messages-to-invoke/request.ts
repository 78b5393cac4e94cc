/**
 * A Messages request as the body of InvokeModel for Claude. It stays what the caller sent, but for a few members that
 * are taken out and set, so that the caller's own bytes can go up with these edits spliced in.
 */
import { applyEdits, type BodyEdits, type Changes } from "./body-edits.ts"
import type { Result } from "effect"
import type { Model } from "../../../domain/catalogue.ts"
import { withoutBillingLine } from "../../messages/billing-line.ts"
import { refuseAnthropicsOwn } from "../messages-to-chat/request.ts"
import { refuseForcedMissingTool } from "../../messages/server-tools.ts"
import { type InvalidRequest, objectAt, optional, refusable } from "../../json/fields.ts"
import { refuseDeepNesting } from "../../json/nesting.ts"
import { type Json, type JsonObject, listOf } from "../../json/json.ts"
import { requireMessagesRequest, toolsOf } from "../../messages/request.ts"
import { bedrockBetas, neededBetas } from "./betas.ts"
import { withoutCacheScopes } from "./cache-scopes.ts"
import { bedrockHistory } from "./history.ts"
import { type FetchedFiles, hasFilesByUrl, withFileData } from "../../images/file-sources.ts"
import { shortenToolNames } from "./tool-names.ts"
import { thinkingWithoutBudget } from "../reasoning.ts"
import { withoutForeignThoughts } from "../reasoning-marks.ts"
import { systemTurnsAsUser } from "./system-turns.ts"

export interface InvokeOptions {
  /** The caller's `anthropic-beta` header, or empty. */
  readonly betas: string
  /** What `fileAddresses` of the request named. */
  readonly files: FetchedFiles
}

export const invokeEdits = (
  request: JsonObject,
  model: Model,
  options: InvokeOptions
): Result.Result<BodyEdits, InvalidRequest> =>
  refusable(() => {
    refuseDeepNesting(request)
    requireMessagesRequest(request)
    refuseAnthropicsOwn(request)
    const tools = toolsOf(request)
    const [toolChanges, system] = [toolEdits(request, tools), systemEdits(request)]
    const messages = changedMessages(request, model, options.files, tools)
    const sent = messages === undefined ? request : { ...request, messages }
    const betas = allBetas(sent, tools, options.betas)
    const remove = [...toolChanges.remove, ...system.remove]
    const thinking = messages === undefined ? undefined : thinkingWithoutBudget(sent)
    const fitted = {
      ...toolChanges.set,
      ...system.set,
      ...(messages !== undefined && { messages }),
      ...(thinking !== undefined && { thinking })
    }
    const kept = applyEdits(request, { remove, set: fitted })
    const changed = { ...fitted, ...withoutCacheScopes(kept) }
    const shortened = shortenToolNames({ ...kept, ...changed })
    return {
      remove: [...notOnBedrock, ...remove, ...(betas.length === 0 ? ["anthropic_beta"] : [])],
      set: {
        anthropic_version: "bedrock-2023-05-31",
        ...(betas.length > 0 && { anthropic_beta: betas }),
        ...changed,
        ...shortened.set
      },
      toolNames: shortened.toolNames
    }
  })

const systemEdits = ({ system }: JsonObject): Changes => {
  const kept = withoutBillingLine(system)
  if (kept === system) return { remove: [], set: {} }
  return kept === undefined ? { remove: ["system"], set: {} } : { remove: [], set: { system: kept } }
}

/** What the path says on Bedrock, and what only Anthropic's own service has: tiers, containers, servers of tools and the like. */
const notOnBedrock = [
  "model",
  "stream",
  "service_tier",
  "container",
  "mcp_servers",
  "inference_geo",
  "fallbacks",
  "speed",
  "diagnostics",
  "billing_policy",
  // Blocks can be marked for the cache there, but not the request as a whole: the mark is left out, which only costs.
  "cache_control"
]

/** Tools that Anthropic runs itself and Bedrock does not. Those that the caller runs are Claude's own, also here. */
const serverTool = /^(web_search|web_fetch|code_execution|advisor|mcp_toolset)/

const isMissing = ({ type }: JsonObject): boolean => typeof type === "string" && serverTool.test(type)

const toolEdits = (request: JsonObject, tools: ReadonlyArray<JsonObject>): Changes => {
  const kept = tools.filter((tool) => !isMissing(tool))
  const eager = kept.some((tool) => tool.eager_input_streaming !== undefined)
  if (kept.length === tools.length && !eager) return { remove: [], set: {} }
  const choice = optional(objectAt, request.tool_choice, "tool_choice")
  refuseForcedMissingTool(choice, tools, isMissing)
  return kept.length === 0
    ? { remove: ["tools", "tool_choice"], set: {} }
    : { remove: [], set: { tools: eager ? kept.map(withoutEagerInput) : kept } }
}

/** Bedrock refuses the field and has a flag for the whole request instead. */
const withoutEagerInput = ({ eager_input_streaming: _, ...tool }: JsonObject): JsonObject => tool

const allBetas = (
  request: JsonObject,
  tools: ReadonlyArray<JsonObject>,
  header: string
): ReadonlyArray<string> =>
  bedrockBetas([header, ...listOf(request.anthropic_beta), ...neededBetas(tools)].join(","), request)

/**
 * The messages where they can not go up as they are: files by URL, what only Anthropic's own service reads, and system
 * turns for models before those.
 */
const changedMessages = (
  request: JsonObject,
  model: Model,
  files: FetchedFiles,
  tools: ReadonlyArray<JsonObject>
): Json | undefined => {
  const own = withoutForeignThoughts(request.messages, model.family)
  const withData = hasFilesByUrl(request) ? withFileData(own, files) : own
  const fitted = bedrockHistory(withData, { model, tools, isMissing })
  return systemTurnsAsUser(fitted, model) ?? (fitted === request.messages ? undefined : fitted)
}
