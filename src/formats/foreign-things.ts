/**
 * Things that a provider keeps and that no call through here can have made: files, vector stores, containers, prompts,
 * skills, and caches and knowledge bases that have a name. All customers share the provider's account, so whoever names
 * one names somebody else's.
 */
import { refuse } from "./json/fields.ts"
import { isJsonObject, type Json, type JsonObject } from "./json/json.ts"

/** Refuses a text request that names one, by its field. */
export const refuseForeignThings = (body: JsonObject): void => {
  const { container, prompt } = body
  if (isJsonObject(prompt)) refuseId(prompt.id, "prompt.id")
  refuseContainer(container, "container")
  if (isJsonObject(body.extra_body)) refuseGoogleCache(body.extra_body)
  forEachObject(body.tools, "tools", refuseOfTool)
  refuseBroughtTools(body.input)
  for (const name of ["system", "messages", "input"]) refuseFilesIn(body[name], name)
}

/** Source: ai.google.dev, "OpenAI compatibility". */
const refuseGoogleCache = ({ google }: JsonObject): void => {
  if (!isJsonObject(google)) return
  for (const name of ["cached_content", "cachedContent"]) refuseId(google[name], `extra_body.google.${name}`)
}

/** Items of the input may bring tools along. */
const refuseBroughtTools = (input: Json | undefined): void => {
  if (!Array.isArray(input)) return
  for (const [index, item] of (input as ReadonlyArray<Json>).entries())
    if (isJsonObject(item) && Array.isArray(item.tools))
      forEachObject(item.tools, `input.${index}.tools`, refuseOfTool)
}

const refuseOfTool = (tool: JsonObject, field: string): void => {
  if (Array.isArray(tool.vector_store_ids)) refuseId(tool.vector_store_ids[0], `${field}.vector_store_ids`)
  refuseContainer(tool.container, `${field}.container`)
  // Of a computer it is a word for its system.
  if (!isComputer(tool)) refuseContainer(tool.environment, `${field}.environment`)
  // Z.ai's.
  if (isJsonObject(tool.retrieval)) refuseId(tool.retrieval.knowledge_id, `${field}.retrieval.knowledge_id`)
  if (isJsonObject(tool.input_image_mask))
    refuseId(tool.input_image_mask.file_id, `${field}.input_image_mask.file_id`)
}

const isComputer = ({ type }: JsonObject): boolean => typeof type === "string" && type.startsWith("computer")

/** By its id, or a new one with things in it. */
const refuseContainer = (container: Json | undefined, field: string): void => {
  refuseId(container, field)
  if (!isJsonObject(container)) return
  refuseId(container.id, `${field}.id`)
  refuseId(container.container_id, `${field}.container_id`)
  if (Array.isArray(container.file_ids)) refuseId(container.file_ids[0], `${field}.file_ids`)
  forEachObject(container.skills, `${field}.skills`, (skill, at) => {
    // Those of the provider itself are everybody's.
    if (skill.type === "custom" || skill.type === "skill_reference")
      refuseId(skill.skill_id, `${at}.skill_id`)
  })
}

/** Only what is given to read: what an answer told of its files comes back with the history. */
const namesFile: ReadonlySet<Json | undefined> = new Set([
  "file",
  "input_file",
  "input_image",
  "computer_screenshot",
  "container_upload"
])

const refuseFilesIn = (value: Json | undefined, name: string): void => {
  const found = fileIn(value)
  if (found !== undefined) refuseId(found.id, `${name}.${found.path.toReversed().join(".")}`)
}

interface FoundFile {
  readonly id: string
  /** The innermost name first: most requests have no file, and no path is written for what they do have. */
  readonly path: Array<string | number>
}

const fileIn = (value: Json | undefined): FoundFile | undefined => {
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const found = fileIn(value[index])
      if (found !== undefined) return within(found, index)
    }
  }
  if (!isJsonObject(value)) return undefined
  if (namesFile.has(value.type)) {
    if (isId(value.file_id)) return { id: value.file_id, path: ["file_id"] }
    if (isJsonObject(value.file) && isId(value.file.file_id))
      return { id: value.file.file_id, path: ["file_id", "file"] }
  }
  if (value.type === "image_url" || value.type === "video_url") {
    const held = value[value.type]
    const url = isJsonObject(held) ? held.url : held
    if (typeof url === "string" && isFileAddress(url))
      return { id: url, path: isJsonObject(held) ? ["url", value.type] : [value.type] }
  }
  for (const name of holders) {
    const held = value[name]
    const found = typeof held === "object" ? fileIn(held) : undefined
    if (found !== undefined) return within(found, name)
  }
  return undefined
}

/** Moonshot's name for one of its files where an address may stand: `ms://FILE_ID`. */
const isFileAddress = (url: string): boolean => /^\s*ms:/i.test(url)

const holders = ["content", "output", "source"] as const

const within = (found: FoundFile, name: string | number): FoundFile => {
  found.path.push(name)
  return found
}

const forEachObject = (
  list: Json | undefined,
  field: string,
  read: (item: JsonObject, field: string) => void
): void => {
  if (!Array.isArray(list)) return
  for (const [index, item] of (list as ReadonlyArray<Json>).entries())
    if (isJsonObject(item)) read(item, `${field}.${index}`)
}

const refuseId = (id: Json | undefined, field: string): void => {
  if (isId(id)) refuse(field, `'${id.slice(0, 100)}' was not found`)
}

const isId = (id: Json | undefined): id is string => typeof id === "string" && id !== ""
