/** The forms of the page in which something was typed that has not been sent. A search is asked again as easily. */
const typed = new Set<Element>()

document.addEventListener("input", ({ target }) => {
  const form = target instanceof Element ? target.closest("form:not([role=search])") : null
  if (form !== null) typed.add(form)
})

/** What stands there is saved. */
export const noteSent = (form: EventTarget | null): void => {
  if (form instanceof Element) typed.delete(form)
}

export const hasTyped = (): boolean => {
  for (const form of typed) if (!form.isConnected) typed.delete(form)
  return typed.size > 0
}
