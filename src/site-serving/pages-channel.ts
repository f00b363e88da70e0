import type { EngineAddress } from '#engine/engine'
import type { CollectionState } from '#ingest/collection-state'
import type { LogLevel } from '#server/config'
import type { ProductSettings } from '#server/product'

/** What the front tells the pages process before anything else. It holds passwords, so it never travels as an argument. */
export interface PagesStartMessage {
  /** The folder that holds `.next`. */
  folder: string
  /** Where to listen: a unix socket, in a folder that only we may enter. */
  socket: string
  /** To be set before anything else; not inherited, because everything inherited can be read in /proc. */
  environment: Record<string, string>
  store: ProductSettings['store']
  /** The settings for outbound mail and webhooks, which the front server sends. */
  reachingOut?: ProductSettings['outbound']
  siteFolder?: ProductSettings['siteFolder']
  backupPlan?: ProductSettings['backupPlan']
  log: { level: LogLevel; format: 'lines' | 'json' }
}

/** The messages of the front server to the pages process, besides requests. */
export type PagesMessage =
  | { begin: PagesStartMessage }
  | { engine: EngineAddress }
  | { collection: CollectionState }

/** Answered ahead of Next, so that it shows whether the process lives, however busy Next may be. */
export const pagesAlivePath = '/_tilth/pages-alive'
