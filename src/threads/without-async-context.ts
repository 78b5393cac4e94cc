/**
 * effect carries Node's asynchronous context (AsyncLocalStorage) over each wait of a fiber. Nothing on a gateway thread reads it, and a call waits
 * three times at least: without it a plain call costs 3 % less CPU. effect looks for it once, as it is loaded, so this module comes before.
 */
const { getBuiltinModule } = process

process.getBuiltinModule = ((id: string) =>
  id === "node:async_hooks" ? undefined : getBuiltinModule(id)) as typeof getBuiltinModule
