/** What uWebSockets.js tells as UTF-8, as Node and Fetch have the text of a head: a character for each byte. They take no others. */
export const byteText = (text: string): string =>
  /[\u0080-\uffff]/.test(text) ? Buffer.from(text).toString("latin1") : text
