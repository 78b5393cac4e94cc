/** What secrets are told by where they must not stand themselves. */

/** Enough of a secret to tell it from others in a list: its start and its last four characters. */
export const keyHint = (secret: string): string => `${secret.slice(0, 10)}…${secret.slice(-4)}`

/** What is asked for in place of a secret, which stands in no address and no log. */
export const withoutSecret = (text: string): string =>
  /^(?:sk-tg|tg-mgmt)-[0-9A-Za-z]{12,}$/.test(text) ? keyHint(text) : text
