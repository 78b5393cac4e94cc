/** A lock was not had within the `lock_timeout` set before. */
export const isBusy = (error: unknown): boolean =>
  (error as { readonly code?: unknown } | undefined)?.code === "55P03"
