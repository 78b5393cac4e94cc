/** Puts a text on the clipboard, also where the page came over plain HTTP: the browser offers its clipboard over HTTPS alone. */
export const copyText = async (value: string): Promise<void> => {
  if (window.isSecureContext) return navigator.clipboard.writeText(value)
  const before = document.activeElement
  const field = document.createElement("textarea")
  field.value = value
  field.style.position = "fixed"
  // Outside an open dialog nothing can be selected.
  const place = document.querySelector("dialog[open]") ?? document.body
  place.append(field)
  field.select()
  const isCopied = document.execCommand("copy")
  field.remove()
  if (before instanceof HTMLElement) before.focus()
  if (!isCopied) throw new Error("not copied")
}
