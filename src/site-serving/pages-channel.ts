import type { EngineAddress } from '#engine/engine'
import type { CollectionState } from '#ingest/collection-state'
import type { Config, LogLevel } from '#server/config'
import type { ProductSettings } from '#server/product'
import type { KitState } from '#site-kit/site-kit'

/** The first message of the front to the pages process. It contains passwords, so it is never an argument. */
export interface PagesStartMessage {
  /** The folder that holds `.next`. */
  folder: string
  /** The unix socket to listen on, in a folder that only this user may enter. */
  socket: string
  /** Variables to be set first; they are not inherited, because an inherited environment can be read in /proc. */
  environment: Record<string, string>
  store: ProductSettings['store']
  /** The settings for outbound mail and webhooks, which the front server sends. */
  reachingOut?: ProductSettings['outbound']
  siteFolder?: ProductSettings['siteFolder']
  exactUpTo?: ProductSettings['exactUpTo']
  site?: Config['site']
  backupPlan?: ProductSettings['backupPlan']
  log: { level: LogLevel; format: 'lines' | 'json' }
}

/** The messages of the front server to the pages process, besides requests. */
export type PagesMessage =
  | { begin: PagesStartMessage }
  | { engine: EngineAddress }
  | { collection: CollectionState }
  | { kit: KitState }

/** The request header with the number of changes that the front knows: what it renders next shows them. */
export const changesHeader = 'x-tilth-changes'

/** Answered before Next, so that it shows whether the process is alive, however busy Next is. */
export const pagesAlivePath = '/_tilth/pages-alive'

/** The header of that answer with the milliseconds for which the process was not idle since its start. */
export const activeHeader = 'x-tilth-active'
