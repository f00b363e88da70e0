import { kitFingerprint, kitPart, type KitProblem, type LayoutName } from '#site-kit/kit-manifest'
import type { KitCall, KitCallAnswer } from '#site-kit/call-messages'
import type { KitOutcome, KitQueries } from '#site-kit/kit-renderer'
import { operator } from '#projects/access'
import type { CallAnswer, CalledKit, FormState, RenderedKit, RenderVisit } from '#site-kit/protocol'
import type { PageVisit } from '#visits/visit'
import { getKit, getLog, getProduct } from '#studio/product'
import { openSite, requestUrl } from '../open-site'
import { currentVisitIfAny } from '../current-visit'
import { AsyncLocalStorage } from 'node:async_hooks'
import { z } from 'zod'
import { postsInLanguage } from '#posts/languages'
import { pathOf } from '#posts/addresses'
import type { CacheTagPart } from '#posts/cache-tags'
import { slugOf } from '#posts/post'
import { entriesOf } from '../list-entries'
import { withTag } from '../related-posts'
import { kitPostOf } from './kit-post'

interface KitRequest {
  file: string
  isPage?: boolean
  /** Begins every id on the page that comes from this rendering. */
  prefix: string
  props?: Readonly<Record<string, unknown>>
  parts?: readonly string[]
  formState?: FormState | undefined
}

/** The build of the site folder that the current page is to use; undefined for projects without one. */
export function currentManifest() {
  const visit = currentVisitIfAny()
  const kit = getKit()
  if (!visit || kit.projectId() !== visit.visit.projectId) return undefined
  const { shown } = kit.renderer
  visit.noteContent(kitPart, kitFingerprint(shown))
  return shown.manifest
}

/** The state and the problems of the site folder, which a team sees beside the pages while it works on them. */
export function kitForTeam(): { problems: readonly KitProblem[]; shown: string } | undefined {
  const { renderer, projectId } = getKit()
  const { shown } = renderer
  if (!shown.isDev || currentVisitIfAny()?.visit.projectId !== projectId()) return undefined
  return { problems: shown.problems, shown: kitFingerprint(shown) }
}

/** One rendering serves the head of a page and its body. */
const rendered = new WeakMap<PageVisit, Map<string, Promise<KitOutcome>>>()

/** Renders a module of the site folder. What it uses of the visit counts as shown. */
export async function renderKit(request: KitRequest): Promise<KitOutcome> {
  const visit = currentVisitIfAny()
  if (!visit)
    return { done: false, failure: { message: 'Only pages of the site are rendered by the site folder.' } }
  const ofVisit = rendered.get(visit) ?? new Map<string, Promise<KitOutcome>>()
  rendered.set(visit, ofVisit)
  const key = `${request.prefix} ${request.file}`
  const rendering = ofVisit.get(key) ?? renderFor(visit, request, kitQueries())
  ofVisit.set(key, rendering)
  return await rendering
}

async function renderFor(
  visit: PageVisit,
  { file, isPage = false, prefix, props = {}, parts = [], formState }: KitRequest,
  questions: KitQueries,
): Promise<KitOutcome> {
  const url = await requestUrl()
  const { pathname } = url
  // what is revalidated from here on may come too late for this rendering
  const partOf = getProduct().posts.cacheTags.partsNow(visit.visit.projectId)
  const outcome = await getKit().renderer.render(
    {
      file,
      isPage,
      prefix,
      props,
      parts,
      formState,
      visit: { ...renderVisitOf(visit, pathname), isPreview: isPreview(visit, url) },
    },
    questions,
  )
  if (outcome.done) noteUses(visit, outcome.rendered, pathOf(pathname), partOf)
  else getLog().warn({ site: file, ...outcome.failure }, 'a module of the site folder failed')
  return outcome
}

function renderVisitOf({ visit: { decisions, payloads, withheld } }: PageVisit, path: string): RenderVisit {
  return { path, decisions, payloads, withheld }
}

/** Whether the address has a preview link to this page. What such a link shows is for its holder alone. */
export function isPreview(visit: PageVisit, { pathname, searchParams }: URL): boolean {
  const token = searchParams.get('preview')
  if (token === null) return false
  visit.doNotCache()
  const { projectId } = visit.visit
  return getProduct().posts.isPagePreview(token, { projectId, path: pathOf(pathname) })
}

type KitCallResult = KitCallAnswer | CallAnswer

/** Calls a route of the site folder, or the action of a form. */
export async function callKit({ request, ...called }: KitCall, body: Uint8Array): Promise<KitCallResult> {
  const { visit } = openSite()
  const { pathname } = await requestUrl()
  const outcome = await getKit().caller.call(
    { ...called, request: { ...request, body }, visit: renderVisitOf(visit, pathname) },
    kitQueries(),
  )
  if (outcome.done) {
    await applyRevalidation(outcome.called.revalidated, visit.visit.projectId)
    return outcome.called.answer
  }
  const problem = { file: called.file, ...outcome.failure }
  getLog().warn({ site: called.file, ...outcome.failure }, 'a call of the site folder failed')
  return { kind: 'failed', problem: kitForTeam() && problem }
}

const siteFolder = operator('site folder')

async function applyRevalidation(
  { tags, paths }: CalledKit['revalidated'],
  projectId: number,
): Promise<void> {
  if (tags.length + paths.length === 0) return
  const outcome = await getProduct().posts.cacheTags.revalidate(projectId, { tags, paths }, siteFolder)
  if (!outcome.done)
    getLog().warn({ problems: outcome.problems }, 'a call of the site folder revalidated nothing')
}

/** Notes what the page depends on: decisions, tags and time. Its path is a tag as well. */
function noteUses(
  visit: PageVisit,
  { uses, tags, revalidate }: RenderedKit,
  path: string,
  partOf: CacheTagPart,
): void {
  for (const key of uses) visit.variant(key)
  for (const tag of [path, ...tags]) visit.noteContent(...partOf(tag))
  if (revalidate !== undefined) visit.cacheFor(revalidate)
}

/** The failure of a rendering, where a team is at work. Such a page is not cached. */
export function problemForTeam(file: string, outcome: KitOutcome): KitProblem | undefined {
  if (outcome.done || !kitForTeam()) return undefined
  currentVisitIfAny()?.doNotCache()
  return { file, ...outcome.failure }
}

/** Renders a layout. Where there is none, or where it fails, the usual one is shown, with the problem for a team. */
export async function renderLayout(
  name: LayoutName,
  request: Omit<KitRequest, 'file'>,
): Promise<RenderedKit | KitProblem | undefined> {
  const file = currentManifest()?.layouts[name]
  if (file === undefined) return undefined
  const outcome = await renderKit({ ...request, file })
  if (outcome.done) return outcome.rendered
  // the next visitor may get the layout again
  currentVisitIfAny()?.cacheFor(failedLayoutSeconds)
  return problemForTeam(file, outcome)
}

const failedLayoutSeconds = 10

const postsQuery = z.object({
  count: z.number().int().min(1).max(100).default(10),
  tag: z.string().max(200).optional(),
})

/** The queries that modules of the site folder may make while they are rendered, answered for the current visit. */
export function kitQueries(): KitQueries {
  const within = AsyncLocalStorage.snapshot()
  return { posts: (input) => within(() => findPosts(postsQuery.parse(input ?? {}))) }
}

async function findPosts({
  count,
  tag,
}: z.infer<typeof postsQuery>): Promise<ReturnType<typeof kitPostOf>[]> {
  const open = openSite()
  const all = open.published.posts(open.site.projectId, open.now)
  const posts = tag === undefined ? postsInLanguage(all, open.site) : withTag(all, slugOf(tag))
  const entries = await entriesOf(posts.slice(0, count), open)
  return entries.map(kitPostOf)
}
