import type { IncomingHttpHeaders } from 'node:http'
import type { Decision } from '#flags/decision'
import { mainEnvironment } from '#flags/flag'
import type { IngestContext } from '#ingest/prepare'
import { operator } from '#projects/access'
import { Exposures } from '#visits/exposures'
import { VisitRecorder } from '#visits/recorder'
import { Visits } from '#visits/visits'
import type { WireServices } from '#wire/dialect'
import { applyForcedFlag, forcedFlagsToken } from '#wire/forced-flags'
import type { Log } from '#server/log'
import { PageCache } from './page-cache'
import type { PagesProcess } from './pages-process'
import type { Product } from '#server/product'
import { openSiteHandler, type SiteHandler } from './site-request'

interface Dependencies {
  product: Pick<
    Product,
    'definitions' | 'deciding' | 'tryingLinks' | 'published' | 'publishedSurveys' | 'projects' | 'onChange'
  >
  intake: Pick<WireServices, 'acceptTogether'> & { context: IngestContext }
  pages: Pick<PagesProcess, 'serve' | 'render'>
  /** The memory limit of cached pages. */
  maxBytes: number
  log: Pick<Log, 'warn'>
}

/** The public site of every project, and the recording of its visits. */
export interface SiteServing {
  site: SiteHandler
  /** Resolves once all views are recorded. */
  close(): Promise<void>
}

export function openSiteServing({ product, intake, pages, maxBytes, log }: Dependencies): SiteServing {
  const { definitions, deciding, published, projects } = product
  const { context } = intake
  const { world } = context
  const onTrouble = (problem: unknown): void => log.warn({ err: problem }, 'the site is in trouble')
  const cache = new PageCache({
    pages,
    maxBytes,
    now: () => world.now(),
    nextChangeAt: (projectId, now) => published.nextChangeAt(projectId, now),
    onTrouble,
  })
  const stopListening = [
    published.onChange((projectId) => cache.forget(projectId)),
    definitions.onChange((projectId) => cache.markStale(projectId)),
    product.publishedSurveys.onChange((projectId) => cache.forget(projectId)),
    product.onChange((topic) => {
      // comments are few, and no other change is announced for their page
      if (topic === 'comments') for (const { id } of projects.list(siteViewer)) cache.forget(id)
    }),
  ]
  const recorder = new VisitRecorder({
    ingestTogether: (deliveries) => intake.acceptTogether(deliveries),
    onTrouble,
  })
  const site = openSiteHandler({
    visits: new Visits({
      definitions,
      decider: deciding,
      ingestContext: context,
      trialsOf: (projectId) => published.trials(projectId),
      applyPreview: (...given) => forcedDecisions(...given, product),
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
      for (const stop of stopListening) stop()
      await recorder.close()
    },
  }
}

const siteViewer = operator('site')

function forcedDecisions(
  decisions: readonly Decision[],
  projectId: number,
  headers: IncomingHttpHeaders,
  { tryingLinks }: Pick<Product, 'tryingLinks'>,
): Decision[] | undefined {
  const token = forcedFlagsToken({ headers })
  const link = token === undefined ? undefined : tryingLinks.read(token)
  if (link?.projectId !== projectId) return undefined
  return decisions.map((decision) => applyForcedFlag(decision, link, mainEnvironment))
}
