/** Calls when the person comes back to this tab, until the returned function is called. */
export const whenSeen = (look: () => void): (() => void) => {
  const lookIfVisible = () => {
    if (document.visibilityState === "visible") look()
  }
  document.addEventListener("visibilitychange", lookIfVisible)
  return () => document.removeEventListener("visibilitychange", lookIfVisible)
}
