/** The secret that was shown last, so that it can be tried at once. It is kept nowhere, and gone with the page. */
let lastKey = ""

export const noteKey = (secret: string): void => {
  lastKey = secret
}

export const readLastKey = (): string => lastKey
