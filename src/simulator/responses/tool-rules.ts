/** What the Responses provider refuses of tools and of the choice among them. */
import { isJsonObject, type Json, type JsonObject, listOf } from "../../formats/json/json.ts"
import { givenString } from "../read-json.ts"
import type { Complaint, Request, Rule } from "../Protocol.ts"
import { checkEach, checkShape, checkTyped, shapeOf, shapesOf } from "./shape.ts"
import { checkName, checkParameters } from "../openai/shared-rules.ts"
import { invalidValue, missing, wrongType } from "../openai/complaints.ts"

const callable = "allowed_callers async defer_loading"
const webSearch = "external_web_access filters search_content_types search_context_size user_location"
const webSearchPreview = "search_content_types search_context_size user_location"

const tools = shapesOf({
  function: `name! parameters strict description output_schema ${callable}`,
  custom: `name! description format ${callable}`,
  namespace: "name! description! tools!",
  web_search: webSearch,
  web_search_2025_08_26: webSearch,
  web_search_preview: webSearchPreview,
  web_search_preview_2025_03_11: webSearchPreview,
  file_search: "vector_store_ids! filters max_num_results ranking_options",
  code_interpreter: "container! allowed_callers",
  image_generation:
    "action background complexity frame_count frame_duration_ms input_fidelity input_image_mask model moderation output_compression output_format partial_images quality size svg",
  mcp: "server_label! allowed_callers allowed_tools authorization connector_id defer_loading headers require_approval server_description server_url tunnel_id",
  computer: "",
  computer_use_preview: "display_height! display_width! environment!",
  local_shell: "",
  shell: "allowed_callers environment",
  apply_patch: "allowed_callers",
  tool_search: "description execution parameters",
  programmatic_tool_calling: ""
})

const formats = shapesOf({ text: "", grammar: "syntax! definition!" })
const grammars = ["lark", "regex"]

export const checkTool = (value: Json, at: string): Complaint | undefined => {
  const complaint = checkTyped(value, tools, at)
  if (complaint !== undefined || !isJsonObject(value)) return complaint
  switch (value["type"]) {
    case "function":
      return checkFunction(value, at)
    case "custom":
      return checkNamed(value, at) ?? checkFormat(value["format"], `${at}.format`)
    case "namespace":
      return checkNamed(value, at) ?? checkEach(value["tools"], `${at}.tools`, checkTool)
    case "mcp":
      return ["server_url", "connector_id", "tunnel_id"].some((name) => value[name] != null)
        ? undefined
        : missing(`${at}.server_url`)
    default:
      return undefined
  }
}

const checkNamed = (tool: JsonObject, at: string): Complaint | undefined => {
  const { description, name } = tool
  if (typeof name !== "string") return wrongType(`${at}.name`, "a string", name)
  return description === undefined || description === null || typeof description === "string"
    ? checkName(name, `${at}.name`)
    : wrongType(`${at}.description`, "a string", description)
}

const checkFunction = (tool: JsonObject, at: string): Complaint | undefined => {
  const { strict } = tool
  if (strict !== undefined && strict !== null && typeof strict !== "boolean")
    return wrongType(`${at}.strict`, "a boolean", strict)
  return checkNamed(tool, at) ?? checkParameters(tool, String(tool["name"]), `${at}.parameters`)
}

const checkFormat = (format: Json | undefined, at: string): Complaint | undefined => {
  if (format === undefined) return undefined
  const complaint = checkTyped(format, formats, at)
  if (complaint !== undefined || !isJsonObject(format) || format["type"] !== "grammar") return complaint
  return grammars.includes(String(format["syntax"]))
    ? undefined
    : invalidValue(`${at}.syntax`, format["syntax"], grammars)
}

const offered: Rule<Request> = ({ body }) =>
  body["tools"] === undefined || body["tools"] === null
    ? undefined
    : checkEach(body["tools"], "tools", checkTool)

const modes = ["none", "auto", "required"]
const allowedShape = shapeOf("type! mode! tools!")
const namedShape = shapeOf("type! name!")
const serverShape = shapeOf("type! server_label! name")

const choice: Rule<Request> = ({ body }) => {
  const asked = body["tool_choice"]
  if (asked === undefined || asked === null) return undefined
  if (typeof asked === "string") return checkMode(asked, body)
  if (!isJsonObject(asked)) return wrongType("tool_choice", "one of a tool choice object or string", asked)
  return asked["type"] === "allowed_tools"
    ? checkAllowed(asked, body)
    : checkChoice(asked, body, "tool_choice")
}

const checkMode = (mode: string, body: JsonObject): Complaint | undefined => {
  if (!modes.includes(mode)) return invalidValue("tool_choice", mode, modes)
  return mode === "required" && allTools(body).length === 0
    ? { message: "Tool choice 'required' must be specified with 'tools' parameter.", param: "tool_choice" }
    : undefined
}

const checkAllowed = (asked: JsonObject, body: JsonObject): Complaint | undefined => {
  const complaint = checkShape(asked, allowedShape, "tool_choice")
  if (complaint !== undefined) return complaint
  if (asked["mode"] !== "auto" && asked["mode"] !== "required")
    return invalidValue("tool_choice.mode", asked["mode"], ["auto", "required"])
  return checkEach(asked["tools"], "tool_choice.tools", (tool, at) =>
    isJsonObject(tool) ? checkChoice(tool, body, at) : wrongType(at, "an object", tool)
  )
}

const checkChoice = (asked: JsonObject, body: JsonObject, at: string): Complaint | undefined => {
  const type = givenString(asked["type"])
  if (type === undefined) return missing(`${at}.type`)
  const isNamed = type === "function" || type === "custom"
  const complaint = checkShape(
    asked,
    isNamed ? namedShape : type === "mcp" ? serverShape : shapeOf("type!"),
    at
  )
  if (complaint !== undefined) return complaint
  const found = allTools(body).some(
    (tool) => tool["type"] === type && (!isNamed || tool["name"] === asked["name"])
  )
  return found
    ? undefined
    : {
        message: `Tool choice '${isNamed ? String(asked["name"]) : type}' not found in 'tools' parameter.`,
        param: at
      }
}

/** Those of groups and those that items bring along among them. */
const allTools = (body: JsonObject): ReadonlyArray<JsonObject> => {
  const brought = listOf(body["input"]).flatMap((item) => (isJsonObject(item) ? listOf(item["tools"]) : []))
  const flat = (list: ReadonlyArray<Json>): ReadonlyArray<JsonObject> =>
    list.flatMap((tool) => {
      if (!isJsonObject(tool)) return []
      return tool["type"] === "namespace" ? flat(listOf(tool["tools"])) : [tool]
    })
  return flat([...listOf(body["tools"]), ...brought])
}

export const toolRules: ReadonlyArray<Rule<Request>> = [offered, choice]
