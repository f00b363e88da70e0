import type { EngineAddress } from '../engine/engine'
import type { LogLevel } from './config'
import type { ProductSettings } from './product'

/** What the front tells the pages process before anything else. It holds passwords, so it never travels as an argument. */
export interface PagesBeginning {
  /** The folder that holds `.next`. */
  folder: string
  /** Where to listen: a unix socket, in a folder that only we may enter. */
  socket: string
  store: ProductSettings['store']
  /** How letters and webhooks may leave the house; the front sends them. */
  reachingOut?: ProductSettings['reachingOut']
  siteFolder?: ProductSettings['siteFolder']
  log: { level: LogLevel; form: 'lines' | 'json' }
}

/** Everything the front says to the pages process besides requests. */
export type PagesMessage = { begin: PagesBeginning } | { engine: EngineAddress }

/** Answered ahead of Next, so that it shows whether the process lives, however busy Next may be. */
export const alivePath = '/_tilth/pages-alive'
