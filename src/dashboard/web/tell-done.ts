/** What a dialog asks for, where what it is about may have ended meanwhile. */
import { ApiError } from "./api.ts"
import { toast } from "./components/Toasts.tsx"
import { goneText } from "./text/gone.ts"

/** Says that it is done, or that there is nothing left to do it to: of both the dialog may close. */
export const tellDone = async (
  asked: Promise<unknown> | undefined,
  done: string,
  gone = goneText()
): Promise<void> => {
  try {
    await asked
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== "not_found") throw error
    return toast(gone, "bad")
  }
  toast(done)
}
