/** Whose call it is, and of which of the provider's models. */
export interface Asker {
  readonly account: string
  readonly model: string
}
