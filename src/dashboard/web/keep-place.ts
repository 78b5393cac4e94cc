/** Where Back leads, until its person does something else. */
let wanted: number | undefined

const stop = () => {
  wanted = undefined
}

/**
 * Has Back lead to the place on the page that one came from, also where its list comes a moment later: the browser looks for it
 * at once, while the page is short. To be said once.
 */
export const keepPlace = (): void => {
  // Whatever leads on from here begins with a click, be it by a key. To note each scroll would be too much for browsers.
  addEventListener("click", () => history.replaceState({ place: scrollY }, ""), { capture: true })
  addEventListener("popstate", ({ state }) => {
    wanted = (state as { readonly place?: number } | null)?.place
  })
  for (const own of ["wheel", "touchstart", "pointerdown", "keydown"])
    addEventListener(own, stop, { passive: true, capture: true })
  new ResizeObserver(() => {
    if (wanted !== undefined) scrollTo(0, wanted)
  }).observe(document.body)
}
