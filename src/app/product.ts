import type { Log } from '../server/log'
import type { Product } from '../server/product'

interface Shared {
  product: Product
  log: Log
}

/** The one Product of this process. */
export const getProduct = () => shared('product')

/** The log of this process. */
export const getLog = () => shared('log')

/**
 * Finds what server/pages.ts put in its place before it started Next. Next compiles a module once for pages, once for
 * actions and once for the proxy, so nothing that holds state can be imported instead.
 */
function shared<Name extends keyof Shared>(name: Name): Shared[Name] {
  // The global object does not know its symbols' types; server/pages.ts alone sets these.
  const thing = (globalThis as { [place: symbol]: Shared[Name] | undefined })[Symbol.for(`tilth.${name}`)]
  if (!thing) throw new Error('These pages run inside Tilth only. Start it with `npm start`.')
  return thing
}
