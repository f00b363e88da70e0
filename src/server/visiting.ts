import type { IncomingHttpHeaders } from 'node:http'
import type { Decision } from '../flags/decision'
import { mainEnvironment } from '../flags/flag'
import type { House } from '../ingest/prepare'
import { operator } from '../projects/access'
import { Exposures } from '../visits/exposures'
import { Recorder } from '../visits/recorder'
import { Visits } from '../visits/visits'
import type { Desk } from '../wire/dialect'
import { forcedOr, tokenOf } from '../wire/trying-out'
import type { Log } from './log'
import { PageCache } from './page-cache'
import type { Pages } from './pages-child'
import type { Product } from './product'
import { openSiteDoor, type SiteDoor } from './site-door'

interface Ground {
  product: Pick<Product, 'definitions' | 'deciding' | 'tryingLinks' | 'published' | 'projects' | 'onChange'>
  intake: Pick<Desk, 'takeTogether'> & { house: House }
  pages: Pick<Pages, 'serve' | 'render'>
  /** Of kept pages. */
  maxBytes: number
  log: Pick<Log, 'warn'>
}

/** The public site of every project, and what its visits leave behind. */
export interface Visiting {
  site: SiteDoor
  /** What was seen is written down. */
  close(): Promise<void>
}

export function openVisiting({ product, intake, pages, maxBytes, log }: Ground): Visiting {
  const { definitions, deciding, published, projects } = product
  const { house } = intake
  const { world } = house
  const onTrouble = (problem: unknown): void => log.warn({ err: problem }, 'the site is in trouble')
  const cache = new PageCache({
    pages,
    maxBytes,
    now: () => world.now(),
    nextChangeAt: (projectId, now) => published.nextChangeAt(projectId, now),
    onTrouble,
  })
  const deaf = [
    published.onChange((projectId) => cache.forget(projectId)),
    definitions.onChange((projectId) => cache.outdate(projectId)),
    product.onChange((topic) => {
      // few are let in, and a page that has one is told of no other way
      if (topic === 'comments') for (const { id } of projects.list(reader)) cache.forget(id)
    }),
  ]
  const recorder = new Recorder({ takeTogether: (deliveries) => intake.takeTogether(deliveries), onTrouble })
  const site = openSiteDoor({
    visits: new Visits({
      definitions,
      deciding,
      house,
      trialsOf: (projectId) => published.trials(projectId),
      tryOut: (...given) => tryOut(...given, product),
    }),
    cache,
    pages,
    exposures: new Exposures(world),
    recorder,
    siteAt: (host) => published.siteAt(host),
    isClaimed: (host) => projects.isClaimed(host),
    world,
  })
  return {
    site,
    close: async () => {
      for (const stop of deaf) stop()
      await recorder.close()
    },
  }
}

const reader = operator('site')

function tryOut(
  decisions: readonly Decision[],
  projectId: number,
  headers: IncomingHttpHeaders,
  { tryingLinks }: Pick<Product, 'tryingLinks'>,
): Decision[] | undefined {
  const token = tokenOf({ headers })
  const link = token === undefined ? undefined : tryingLinks.read(token)
  if (link?.projectId !== projectId) return undefined
  return decisions.map((decision) => forcedOr(decision, link, mainEnvironment))
}
