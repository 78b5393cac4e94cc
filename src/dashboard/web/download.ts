/** Has the browser save what is there as a file; without a name, by the one that its server gives it. */
export const download = (href: string, name = ""): void => {
  const link = document.createElement("a")
  link.href = href
  link.download = name
  link.click()
}
