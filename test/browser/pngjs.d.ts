/** The package has no types of its own. */
declare module "pngjs" {
  export const PNG: {
    readonly sync: {
      readonly read: (png: Uint8Array) => {
        readonly width: number
        readonly height: number
        readonly data: Uint8Array
      }
    }
  }
}
