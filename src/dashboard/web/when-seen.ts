/** Calls when the person comes back to this tab, until the returned function is called. */
export const whenSeen = (look: () => void): (() => void) => {
  const lookIfVisible = () => {
    if (document.visibilityState === "visible") look()
  }
  document.addEventListener("visibilitychange", lookIfVisible)
  return () => document.removeEventListener("visibilitychange", lookIfVisible)
}

/** Does what `begin` begins while the person looks at this tab, until the returned function is called; what `begin` returns ends it. */
export const whileSeen = (begin: () => () => void): (() => void) => {
  let end: (() => void) | undefined
  const look = () => {
    if (document.visibilityState === "visible") return void (end ??= begin())
    end?.()
    end = undefined
  }
  look()
  document.addEventListener("visibilitychange", look)
  return () => {
    document.removeEventListener("visibilitychange", look)
    end?.()
  }
}
