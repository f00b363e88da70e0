import type { IncomingHttpHeaders } from 'node:http'
import type { Decision } from '#flags/decision'
import { mainEnvironment } from '#flags/flag'
import type { IngestContext } from '#ingest/prepare'
import { operator } from '#projects/access'
import { usualProject } from '#projects/demo-project'
import { Exposures } from '#visits/exposures'
import { VisitRecorder } from '#visits/recorder'
import { Visits } from '#visits/visits'
import type { WireServices } from '#wire/dialect'
import { applyForcedFlag, forcedFlagsToken } from '#wire/forced-flags'
import type { Log } from '#server/log'
import { withErrorPages } from './internal/error-pages'
import { PageCache } from './internal/page-cache'
import { PageFiles } from './internal/page-files'
import type { PagesProcess } from './pages-process'
import type { Product } from '#server/product'
import { kitFingerprint, kitPart, noKit } from '#site-kit/kit-manifest'
import type { SiteKit } from '#site-kit/site-kit'
import { flagsPart } from './internal/shown-parts'
import { SiteCalls } from './site-calls'
import { StaticPages } from './static-pages'
import { SetupRedirect } from './internal/setup-redirect'
import { openSiteHandler, type SiteHandler } from './site-request'

interface Dependencies {
  product: Pick<Product, 'flags' | 'posts' | 'surveys' | 'projects' | 'changes' | 'signIn'>
  intake: Pick<WireServices, 'acceptTogether'> & { context: IngestContext }
  pages: Pick<PagesProcess, 'serve' | 'render'>
  /** The memory limit of cached pages. */
  maxBytes: number
  /** The folder of pages on disk, and the build that renders them. */
  disk: { folder: string; build: string }
  /** The builds of the site folder, if there is one. */
  kit?: Pick<SiteKit, 'onChange' | 'state'> | undefined
  log: Pick<Log, 'warn'>
}

/** The public site of every project, and the recording of its visits. */
export interface SiteServing {
  site: SiteHandler
  staticPages: StaticPages
  /** Resolves once all views are recorded. */
  close(): Promise<void>
}

/** The limit of all pages on disk. */
const maxDiskBytes = 256 * 1024 * 1024

export async function openSiteServing({
  product,
  intake,
  pages,
  maxBytes,
  disk,
  kit,
  log,
}: Dependencies): Promise<SiteServing> {
  const { published } = product.posts
  const { definitions, deciding } = product.flags
  const { world } = intake.context
  const onTrouble = (problem: unknown): void => log.warn({ err: problem }, 'the site is in trouble')
  const files = await PageFiles.open({ ...disk, maxBytes: maxDiskBytes, onTrouble })
  const removeOtherProjects = (): Promise<void> => files.keepProjects(published.projectIds())
  await removeOtherProjects()
  const cache = new PageCache({
    pages: withErrorPages(pages),
    maxBytes,
    files,
    fingerprint: (projectId, part, now) =>
      part === kitPart ? kitFingerprint(kit?.state() ?? noKit) : fingerprintOf(product, projectId, part, now),
    now: () => world.now(),
    nextChangeAt: (projectId, now) => published.nextChangeAt(projectId, now),
    onTrouble,
  })
  const stopListening = listenForChanges({ product, kit, cache, removeOtherProjects, onTrouble })
  const recorder = new VisitRecorder({
    ingestTogether: (deliveries) => intake.acceptTogether(deliveries),
    onTrouble,
  })
  const visits = new Visits({
    definitions,
    decider: deciding,
    ingestContext: intake.context,
    trialsOf: (projectId) => published.trials(projectId),
    applyPreview: (...given) => forcedDecisions(...given, product),
  })
  const siteAt = (host: string) => published.siteAt(host)
  const projectId = () => usualProject(product.projects.list(siteViewer))?.id
  const calls = kit && new SiteCalls({ kit, projectId, siteAt, visits, pages, cache, world })
  const site = openSiteHandler({
    visits,
    cache,
    pages,
    calls,
    exposures: new Exposures(world),
    recorder,
    siteAt,
    isClaimed: (host) => product.projects.isClaimed(host),
    setup: kit ? undefined : new SetupRedirect(() => product.signIn.setup.isNeeded()),
    world,
  })
  return {
    site,
    staticPages: new StaticPages({ published, definitions, visits, pages, kit, now: () => world.now() }),
    close: async () => {
      for (const stop of stopListening) stop?.()
      await recorder.close()
      await files.close()
    },
  }
}

interface Listeners extends Pick<Dependencies, 'product' | 'kit'> {
  cache: PageCache
  removeOtherProjects: () => Promise<void>
  onTrouble: (problem: unknown) => void
}

/** Tells the cache of what its pages show when it changes. Returns how to stop. */
function listenForChanges({ product, kit, cache, removeOtherProjects, onTrouble }: Listeners) {
  const { published, cacheTags } = product.posts
  return [
    ...[published, cacheTags].map((part) => part.onChange((projectId) => cache.contentChanged(projectId))),
    kit?.onChange(() => cache.contentChanged()),
    product.flags.definitions.onChange((projectId) => cache.flagsChanged(projectId)),
    product.surveys.published.onChange((projectId) => {
      cache.contentChanged(projectId)
      cache.forgetShowing('survey', projectId)
    }),
    product.changes.onChange((topic) => {
      // comments are few, and no other change is announced for their page
      if (topic === 'comments') cache.forgetShowing('comments')
      if (topic === 'projects') published.caughtUp().then(removeOtherProjects).catch(onTrouble)
    }),
  ]
}

const siteViewer = operator('site')

const fingerprintOf = (
  { posts, surveys, flags }: Pick<Product, 'posts' | 'surveys' | 'flags'>,
  projectId: number,
  part: string,
  now: Date,
): string | undefined => {
  const { definitions } = flags
  const { answers: surveyAnswers } = surveys
  const { published } = posts
  if (part === flagsPart) return definitions.fingerprint(projectId)
  if (part !== 'surveys')
    return posts.cacheTags.fingerprint(projectId, part) ?? published.fingerprint(projectId, part, now)
  return surveyAnswers.hasSurveysForPages(projectId) ? 'yes' : 'no'
}

function forcedDecisions(
  decide: () => readonly Decision[],
  projectId: number,
  headers: IncomingHttpHeaders,
  { flags }: Pick<Product, 'flags'>,
): Decision[] | undefined {
  const { overrideLinks } = flags
  const token = forcedFlagsToken({ headers })
  const link = token === undefined ? undefined : overrideLinks.read(token)
  if (link?.projectId !== projectId) return undefined
  return decide().map((decision) => applyForcedFlag(decision, link, mainEnvironment))
}
