import { type Outbound, OutboundError } from '#outbound/outbound'
import { requireRight, type Viewer } from '#projects/access'
import type { Project } from '#projects/project'
import type { Projects } from '#projects/projects'
import type { World } from '#world/world'
import { mayBeFramed } from './internal/frame-permission'
import { noMarkup, type PageMarkup, readMarkup } from './internal/page-markup'

/** The page of a site, as it was a moment ago. */
interface CheckedPage extends PageMarkup {
  /** The address that redirects led to. */
  address: string
  /** Whether browsers show it in a frame of the studio. */
  mayBeFramed: boolean
}

export type SiteCheck =
  /** The project has no address of a site. */
  | { is: 'absent' }
  /** Tilth serves the page itself, and counts its visits without a tag. */
  | { is: 'own' }
  | { is: 'unreachable'; why: string }
  | { is: 'reached'; page: CheckedPage }

interface Dependencies {
  projects: Pick<Projects, 'find'>
  outbound: Pick<Outbound, 'fetchPage'>
  world: Pick<World, 'now'>
}

interface KeptCheck {
  key: string
  at: number
  result: Promise<SiteCheck>
}

/** A page that is reloaded, its frame and its parts share one request. */
const keptForMs = 10_000
const mostBytes = 512 * 1024

/** Fetches the page of a project's site, and says what a first visit has to know of it. */
export class SiteChecks {
  private readonly kept = new Map<number, KeptCheck>()

  constructor(private readonly dependencies: Dependencies) {}

  /** `studio` is the origin whose pages would frame the site. */
  async check(projectId: number, studio: string, viewer: Viewer): Promise<SiteCheck> {
    requireRight('project:read', projectId, viewer)
    const project = this.dependencies.projects.find(String(projectId), viewer)
    const key = `${project.siteAddress} ${project.writeKey} ${studio}`
    const at = this.dependencies.world.now().getTime()
    const before = this.kept.get(projectId)
    if (before?.key === key && at - before.at < keptForMs) return await before.result
    const result = this.checkSite(project, studio)
    this.kept.set(projectId, { key, at, result })
    return await result
  }

  private async checkSite({ siteAddress, writeKey }: Project, studio: string): Promise<SiteCheck> {
    const url = URL.parse(siteAddress)
    if (!url) return { is: 'absent' }
    if (url.origin === studio) return { is: 'own' }
    try {
      const { address, response } = await this.dependencies.outbound.fetchPage(siteAddress, {
        headers: { 'user-agent': 'Tilth', accept: 'text/html', 'accept-encoding': 'identity' },
        mostBytes,
      })
      const page = { address, headers: response.headers }
      const markup = isReadable(response) ? readMarkup(await response.text(), writeKey) : noMarkup
      return { is: 'reached', page: { ...markup, address, mayBeFramed: mayBeFramed(page, studio) } }
    } catch (problem) {
      if (problem instanceof OutboundError) return { is: 'unreachable', why: problem.message }
      throw problem
    }
  }
}

const isReadable = ({ headers }: Response): boolean =>
  /^text\/html\b/i.test(headers.get('content-type') ?? '') &&
  (headers.get('content-encoding') ?? 'identity') === 'identity'
