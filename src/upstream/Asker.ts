/** Whose call it is, and of what. */
export interface Asker {
  readonly account: string
  /** One of the provider's models, or the counting of its tokens, which may fail or be limited for itself. */
  readonly model: string
  /** Of the model, by which its calls are counted for whoever watches. */
  readonly family?: string
}
