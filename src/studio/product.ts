import type { CollectionState } from '#ingest/collection-state'
import type { Log } from '#server/log'
import type { PageFailures } from '#server/page-failures'
import type { Product } from '#server/product'
import type { PagesKit } from '#site-kit/kit-renderer'

interface ServerGlobals {
  product: Product
  log: Log
  /** The storage lag that the front server reported last. */
  collection: { readonly state: CollectionState | undefined }
  failures: PageFailures
  kit: PagesKit
}

/**
 * The one Product of this process.
 *
 * @example
 * const keys = await getProduct().projects.keys.list(project.id, viewer)
 */
export const getProduct = () => fromServer('product')

/** The problem with collecting events, if any. */
export const getCollection = () => fromServer('collection').state

/** The recent failures of pages in this process. */
export const getFailures = () => fromServer('failures')

/** The code that a team has written for its site. */
export const getKit = () => fromServer('kit')

/** The log of this process. */
export const getLog = () => fromServer('log')

/**
 * Finds what server/internal/pages.ts put in its place before it started Next. Next compiles a module once for pages, once for
 * actions and once for the proxy, so nothing that holds state can be imported instead.
 */
function fromServer<Name extends keyof ServerGlobals>(name: Name): ServerGlobals[Name] {
  // The global object does not know its symbols' types; server/internal/pages.ts alone sets these.
  const thing = (globalThis as { [symbol: symbol]: ServerGlobals[Name] | undefined })[
    Symbol.for(`tilth.${name}`)
  ]
  if (!thing) throw new Error('These pages run inside Tilth only. Start it with `npm start`.')
  return thing
}
