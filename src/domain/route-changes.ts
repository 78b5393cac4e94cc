/** What operators change of the routes to providers while the service runs, laid over those of the configuration. */

export interface RouteSetting {
  readonly isPaused: boolean
  /** `undefined`: as configured. */
  readonly weight: number | undefined
}

export const weightMax = 1_000

export const isWeight = (value: number): boolean => value > 0 && value <= weightMax

/** A route that an operator has added, as it lies in the database. */
export interface AddedRoute {
  readonly id: string
  readonly provider: string
  /** Without a trailing slash. */
  readonly baseUrl: string
  /** `undefined`: no key is sent. */
  readonly sealedKey: Uint8Array | undefined
  /** Names the key that it is sealed with. */
  readonly sealKeyId: string | undefined
  /** Catalogue ids; empty: all models of the provider. */
  readonly models: ReadonlyArray<string>
  /** Lower is tried first. */
  readonly priority: number
}

export interface RouteChanges {
  /** By id, of routes from wherever they are. */
  readonly settings: ReadonlyMap<string, RouteSetting>
  readonly added: ReadonlyArray<AddedRoute>
}

export const noRouteChanges: RouteChanges = { settings: new Map(), added: [] }
