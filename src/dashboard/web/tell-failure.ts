/** Says in a note why something failed that has no place of its own to say so. */
import { explain } from "./api.ts"
import { toast } from "./components/Toasts.tsx"

export const tellFailure = (error: unknown): void => toast(explain(error), "bad")
