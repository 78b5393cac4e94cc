/** What the members of messages, blocks and items hold, by their names. */

/**
 * Most models are shown no `word`, one of a few that the protocol has, and no `id`, while they are no longer than those are;
 * `opaque` is what its provider decrypts.
 */
export type MemberKind = "text" | "word" | "id" | "type" | "json" | "opaque"

const namesOf: Readonly<Record<MemberKind, string>> = {
  text:
    "annotations cache_control caller citations content enabled function function_call name output " +
    "reasoning_content refusal source summary text thinking title tool_calls",
  word: "detail execution phase role scope status ttl",
  id: "call_id file_id id item_id media_type server_label tool_call_id tool_id tool_use_id",
  type: "type",
  json: "arguments input json parameters schema",
  opaque: "encrypted_content encrypted_index signature"
}

/** A name that is not among them may be something to read. */
export const memberKinds: ReadonlyMap<string, MemberKind> = new Map(
  (Object.keys(namesOf) as ReadonlyArray<MemberKind>).flatMap((kind) =>
    namesOf[kind].split(" ").map((name) => [name, kind] as const)
  )
)

/** No protocol has a longer word for a model's settings, roles and states. */
export const wordLengthMax = 16
const idLengthMax = 64

export const isLabel = (kind: MemberKind | undefined, { length }: string): boolean =>
  kind === "word" ? length <= wordLengthMax : (kind === "id" || kind === "type") && length <= idLengthMax
