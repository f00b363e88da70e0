import type { IncomingHttpHeaders } from 'node:http'
import { z } from 'zod'
import type { Json } from '#events/event'
import type { FlagDefinitions } from '#flags/definitions'
import { type Flag, isForServersOnly, mainEnvironment } from '#flags/flag'
import type { Published } from '#posts/published/published'
import { requireRight, type Viewer } from '#projects/access'
import { failedOutcome, type Outcome, parseInput } from '#projects/problems'
import type { RenderRequest, RenderResponse } from '#http/forward'
import type { UnavailableReason } from '#http/error-page'
import { contentSecurityPolicy, newNonce } from '#http/security-headers'
import type { SiteKit } from '#site-kit/site-kit'
import { slotContent } from '#visits/slot'
import { type StaticSite, type Visit, visitHeader, writeVisit } from '#visits/visit'
import type { Visits } from '#visits/visits'
import { type CachedPage, toCachedPage } from './internal/cached-page'

interface Dependencies {
  published: Pick<Published, 'site' | 'trials'>
  definitions: Pick<FlagDefinitions, 'flagsOf'>
  visits: Pick<Visits, 'begin'>
  pages: { render: (request: RenderRequest) => Promise<RenderResponse | UnavailableReason> }
  /** The builds of the site folder, if there is one. */
  kit: Pick<SiteKit, 'state'> | undefined
  now: () => Date
}

const origin = z
  .url({ protocol: /^https?$/, error: 'Write the address as "https://example.com".' })
  .transform((address) => new URL(address).origin)

const staticPageRequest = z.object({
  /** The path from the root of the site, with the query that selects a page. */
  path: z.string().startsWith('/').max(4000),
  origin,
  /** The origin at which browsers reach Tilth. */
  server: origin,
  /** Decisions that differ from the originals, by key. */
  decisions: z.record(z.string(), z.union([z.boolean(), z.string()])).default({}),
})

/** A decision that a page shows. */
export interface UsedDecision {
  key: string
  /** Every value that a visitor may get; the first is the original. */
  values: readonly (boolean | string)[]
}

/** A page as a file for another server. */
export interface StaticPage {
  status: number
  type: string
  /** The destination of a redirect. */
  location?: string | undefined
  body: Buffer
  uses: readonly UsedDecision[]
  /** The addresses of the site folder's routes, which another server does not have. */
  routes: readonly string[]
}

/** A page for a member, who sees the site of a project at an address of the studio. */
interface SitePreviewRequest {
  /** The path from the root of the site, with the query that selects a page. */
  path: string
  host: string
  protocol: string
}

/** A crawler has no chance variants: what it is shown is the original. */
const crawlerHeaders = { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1)' }

/** Renders pages of a site that are neither cached nor counted: for another server, and for members who preview it. */
export class StaticPages {
  constructor(private readonly dependencies: Dependencies) {}

  async render(
    projectId: number,
    input: unknown,
    viewer: Viewer,
  ): Promise<Outcome<{ page: StaticPage | UnavailableReason }>> {
    requireRight('posts:write', projectId, viewer)
    const parsed = parseInput(staticPageRequest, input)
    if (!parsed.done) return parsed
    if (!this.dependencies.published.site(projectId))
      return failedOutcome('The site of this project is turned off.')
    if (this.dependencies.kit?.state().isDev)
      return failedOutcome(
        'This Tilth runs as “tilth dev”, whose pages have scripts for development. Start it with “tilth start”, then publish.',
      )
    const { path, decisions, ...staticSite } = parsed.value
    const originals = this.originalsOf(projectId)
    const visit = this.visitFor(projectId, { ...originals, ...decisions }, staticSite)
    const { host, protocol } = new URL(staticSite.origin)
    const rendered = await this.pageFor(visit, { path, host, protocol: protocol.slice(0, -1) })
    const page = typeof rendered === 'string' ? rendered : this.staticPageOf(rendered, visit, originals)
    return { done: true, page }
  }

  /** Renders a page with the original of every variant; undefined if the site is turned off. */
  async preview(
    projectId: number,
    { path, host, protocol }: SitePreviewRequest,
    viewer: Viewer,
  ): Promise<
    (Pick<StaticPage, 'status' | 'body'> & Pick<CachedPage, 'headers'>) | UnavailableReason | undefined
  > {
    requireRight('project:read', projectId, viewer)
    if (!this.dependencies.published.site(projectId)) return undefined
    const visit = this.crawlerVisit(projectId)
    const page = await this.pageFor(visit, { path, host, protocol })
    return typeof page === 'string'
      ? page
      : { status: page.status, headers: page.headers, body: bodyOf(page, visit) }
  }

  /**
   * Decides the flags and trials that a page of another server shows for the visitor who asks, who is counted by the day.
   * Flags that only servers may read are left out.
   */
  decide(request: {
    projectId: number
    host: string
    address: string
    headers: IncomingHttpHeaders
    keys: readonly string[]
  }): Record<string, boolean | string> {
    const { keys, ...asking } = request
    const { visit } = this.dependencies.visits.begin({
      ...asking,
      visitors: 'daily',
      receivedAt: this.dependencies.now(),
    })
    const withheld = this.serverOnlyIn(request.projectId)
    const shown = keys.filter((key) => Object.hasOwn(visit.decisions, key) && !withheld.has(key))
    return Object.fromEntries(shown.map((key) => [key, visit.decisions[key] ?? false]))
  }

  private originalsOf(projectId: number): Visit['decisions'] {
    const originals = { ...this.crawlerVisit(projectId).decisions }
    for (const flag of this.dependencies.definitions.flagsOf(projectId))
      if (!flag.hasExperiment && !isSameForAll(flag) && flag.key in originals) originals[flag.key] = false
    return originals
  }

  private crawlerVisit(projectId: number): Visit {
    const { visits, now } = this.dependencies
    const { visit } = visits.begin({
      projectId,
      visitors: 'daily',
      host: 'static.invalid',
      address: '',
      headers: crawlerHeaders,
      receivedAt: now(),
    })
    return visit
  }

  private visitFor(projectId: number, decisions: Visit['decisions'], staticSite: StaticSite): Visit {
    const flags = this.dependencies.definitions.flagsOf(projectId)
    return {
      projectId,
      visitor: '',
      isCookieless: true,
      decisions,
      payloads: Object.fromEntries(flags.flatMap((flag) => payloadOf(flag, decisions[flag.key]))),
      withheld: [...this.serverOnlyIn(projectId)],
      isTried: false,
      staticSite,
    }
  }

  private serverOnlyIn(projectId: number): ReadonlySet<string> {
    const flags = this.dependencies.definitions.flagsOf(projectId)
    return new Set(flags.filter(isForServersOnly).map(({ key }) => key))
  }

  private async pageFor(
    visit: Visit,
    { path, host, protocol }: SitePreviewRequest,
  ): Promise<CachedPage | UnavailableReason> {
    const nonce = newNonce()
    const rendered = await this.dependencies.pages.render({
      path,
      headers: {
        host,
        accept: 'text/html',
        'user-agent': 'Tilth',
        'x-forwarded-host': host,
        'x-forwarded-proto': protocol,
        'x-tilth-address': path,
        [visitHeader]: writeVisit(visit),
        'content-security-policy': contentSecurityPolicy({ nonce }),
      },
    })
    return typeof rendered === 'string' ? rendered : await toCachedPage(rendered, nonce)
  }

  private staticPageOf(page: CachedPage, visit: Visit, originals: Visit['decisions']): StaticPage {
    const { status, headers } = page
    return {
      status,
      type: textIn(headers['content-type']) ?? '',
      location: textIn(headers['location']),
      body: bodyOf(page, visit),
      uses: page.uses.flatMap((key) => this.usedDecision(key, visit, originals) ?? []),
      routes: this.dependencies.kit?.state().manifest?.routes.map(({ address }) => address) ?? [],
    }
  }

  /** Undefined where every visitor gets the same, as far as browsers may know. */
  private usedDecision(
    key: string,
    { projectId, withheld }: Visit,
    originals: Visit['decisions'],
  ): UsedDecision | undefined {
    if (withheld.includes(key)) return undefined
    const { published, definitions } = this.dependencies
    const trial = published.trials(projectId).find((one) => one.key === key)
    const flag = definitions.flagsOf(projectId).find((one) => one.key === key)
    const known = trial?.variants ?? (flag && flag.variants.length > 0 ? flag.variants : undefined)
    const others = known ? known.map((variant) => variant.key) : flag ? [true] : []
    const values = [...new Set([originals[key] ?? false, false, ...others])]
    return values.length > 1 ? { key, values } : undefined
  }
}

const textIn = (header: unknown): string | undefined => (typeof header === 'string' ? header : undefined)

/** Whether the flag is on for everyone, or off for everyone. */
function isSameForAll({ environments, variants }: Flag): boolean {
  const setting = environments[mainEnvironment]
  if (!setting?.isOn) return true
  const [first] = setting.conditions
  const isForAll = first && first.percentage === 100 && first.conditions.length === 0
  const isOneValue = variants.length === 0 || first?.variant !== undefined
  return (!first || (isForAll && isOneValue)) === true && !setting.holdout && !setting.layer
}

function payloadOf(
  { key, environments, payloads }: Flag,
  value: boolean | string | undefined,
): [string, Json][] {
  const text = environments[mainEnvironment]?.payloads[String(value)] ?? payloads[String(value)]
  // payloads were validated as JSON when they were saved
  return value === undefined || value === false || text === undefined ? [] : [[key, JSON.parse(text) as Json]]
}

/** Returns the page without the decisions that a browser begins with: those of a file would be the same for all. */
function bodyOf({ body }: CachedPage, visit: Visit): Buffer {
  if (body.kind === 'whole') return body.plain
  const slot = slotContent({ ...visit, decisions: {}, payloads: {} })
  return Buffer.concat([body.before, Buffer.from(slot), body.after])
}
