import { renderedError } from "../upstream-error.ts"
import type { Direction } from "../oracle-case.ts"

export const direction: Direction = {
  direction: "upstream_error->messages_error",
  run: ({ input }) => renderedError(input, "messages"),
  predicates: {}
}
