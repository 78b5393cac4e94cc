/** How much of the bodies that a thread keeps may be one account's, where the settings do not say. */
export const accountPart = (bytes: number): number => Math.floor(bytes / 2)
