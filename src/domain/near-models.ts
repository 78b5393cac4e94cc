/**
 * Which models a name that finds none may mean. Other services write a maker before it (`anthropic/`, `us.anthropic.`), a
 * variant (`:free`), a date or a version behind it, and points where others have dashes.
 */
import type { Model } from "./catalogue.ts"

const nearMax = 3

/** Their ids; those of the asked channel (`svc/`, `req/`) first. */
export const nearModels = (name: string, models: ReadonlyArray<Model>): ReadonlyArray<string> => {
  const meant = bareName(name)
  const near = models.flatMap(({ id }) => (id !== name && bareName(id) === meant ? [id] : []))
  const channel = name.slice(0, name.indexOf("/") + 1)
  const isAsked = (id: string): boolean => channel !== "" && id.startsWith(channel)
  return [...near.filter(isAsked), ...near.filter((id) => !isAsked(id))].slice(0, nearMax)
}

const bareName = (name: string): string =>
  name
    .slice(0, 200)
    .trim()
    .toLowerCase()
    .replace(/^.*\//, "")
    .replace(/^([a-z]+\.)+/, "")
    .replace(/[:@].*$/, "")
    .replace(/-(\d{8}|\d{4}-\d\d-\d\d|latest|v\d)$/, "")
    .replaceAll(".", "-")
