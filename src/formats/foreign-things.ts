/**
 * Things that a provider keeps and that no call through here can have made: files, vector stores, containers, prompts and
 * skills. All customers share the provider's account, so whoever names one names somebody else's.
 */
import { refuse } from "./json/fields.ts"
import { isJsonObject, type Json, type JsonObject } from "./json/json.ts"

/** Refuses a text request that names one, by its field. */
export const refuseForeignThings = (body: JsonObject): void => {
  const { container, prompt } = body
  if (isJsonObject(prompt)) refuseId(prompt.id, "prompt.id")
  refuseContainer(container, "container")
  forEachObject(body.tools, "tools", refuseOfTool)
  for (const name of ["system", "messages", "input"]) refuseFilesIn(body[name], name)
}

const refuseOfTool = (tool: JsonObject, field: string): void => {
  if (Array.isArray(tool.vector_store_ids)) refuseId(tool.vector_store_ids[0], `${field}.vector_store_ids`)
  refuseContainer(tool.container, `${field}.container`)
  refuseContainer(tool.environment, `${field}.environment`)
  if (isJsonObject(tool.input_image_mask))
    refuseId(tool.input_image_mask.file_id, `${field}.input_image_mask.file_id`)
}

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

const refuseFilesIn = (value: Json | undefined, field: string): void => {
  if (Array.isArray(value))
    for (const [index, item] of (value as ReadonlyArray<Json>).entries())
      refuseFilesIn(item, `${field}.${index}`)
  if (!isJsonObject(value)) return
  if (namesFile.has(value.type)) {
    refuseId(value.file_id, `${field}.file_id`)
    if (isJsonObject(value.file)) refuseId(value.file.file_id, `${field}.file.file_id`)
  }
  for (const name of ["content", "output", "source"]) refuseFilesIn(value[name], `${field}.${name}`)
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
  if (typeof id === "string" && id !== "") refuse(field, `'${id.slice(0, 100)}' was not found`)
}
