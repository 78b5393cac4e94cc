/** What is wrong with a body or a query, by the name of the field alone: what was sent is said to nobody. */
import { SchemaIssue } from "effect"

const wordsOf: Partial<Readonly<Record<SchemaIssue.Leaf["_tag"], string>>> = {
  MissingKey: "is missing",
  UnexpectedKey: "is not known here"
}

const inWords = SchemaIssue.makeFormatterStandardSchemaV1({
  leafHook: ({ _tag }) => wordsOf[_tag] ?? "",
  checkHook: () => ""
})

const otherwise = "is not as /api/openapi.json describes it"
const nameLengthMax = 100

/** The first thing that is wrong. */
export const describeIssue = (issue: SchemaIssue.Issue): string => {
  const [first] = inWords(issue).issues
  const place = (first?.path ?? [])
    .map((part) => String(typeof part === "object" ? part.key : part))
    .join(".")
  const known = Object.values(wordsOf).find((words) => words === first?.message)
  return `${place === "" ? "What was sent" : nameOf(place)} ${known ?? otherwise}`
}

/** Names that are not known come from whoever asks, too. */
const nameOf = (place: string): string =>
  /^[\w.-]+$/.test(place) && place.length <= nameLengthMax ? place : "A field"
