import { z } from 'zod'
import { AccessRefused, requireRight, type Viewer } from '#projects/access'
import { recordAudit } from '#projects/audit'
import { type Outcome, parseInput } from '#projects/problems'
import type { Project } from '#projects/project'
import type { Projects } from '#projects/projects'
import type { Store } from '#store/store'
import type { World } from '#world/world'
import type { Published } from './published/published'
import { type Site, type SiteSettings, siteSettings, defaultSite } from './site'
import { allSites, saveSite } from './store'
import { withPostTransaction } from './writing/post-transaction'

interface Dependencies {
  store: Store
  world: World
  projects: Pick<Projects, 'numbered'>
  /** The addresses of this Tilth. */
  addresses: readonly string[]
  published: Pick<Published, 'caughtUp'>
}

const changeInput = z.looseObject({}, { error: 'Say what is to change.' })
const settingsSchema = z.strictObject(siteSettings.shape)

/** The site settings of projects. */
export class Sites {
  constructor(private readonly dependencies: Dependencies) {}

  /** Returns the site, even if it is turned off. */
  async read(projectId: number, viewer: Viewer): Promise<Site> {
    requireRight('project:read', projectId, viewer)
    const project = this.project(projectId)
    return siteOf(
      project,
      (await allSites(this.dependencies.store)).get(projectId),
      this.dependencies.addresses,
    )
  }

  /** Fields that are absent stay unchanged. */
  async change(projectId: number, input: unknown, viewer: Viewer): Promise<Outcome<{ site: Site }>> {
    requireRight('site:write', projectId, viewer)
    const parsedChange = parseInput(changeInput, input)
    if (!parsedChange.done) return parsedChange
    const project = this.project(projectId)
    const { world, addresses } = this.dependencies
    return await withPostTransaction(
      this.dependencies,
      async (transaction): Promise<Outcome<{ site: Site }>> => {
        const before = settingsIn((await allSites(transaction)).get(projectId))
        const parsed = parseInput(settingsSchema, { ...before, ...parsedChange.value })
        if (!parsed.done) return parsed
        await saveSite(transaction, projectId, parsed.value, world.now())
        await transaction.announce('sites')
        const auditRecord = {
          action: 'site.change',
          subject: project.name,
          projectId,
          before,
          after: parsed.value,
        } as const
        await recordAudit(transaction, auditRecord, viewer, world.now())
        return { done: true, site: siteOf(project, parsed.value, addresses) }
      },
    )
  }

  private project(projectId: number): Project {
    const project = this.dependencies.projects.numbered(projectId)
    if (!project) throw new AccessRefused('not-found', 'There is no such project.')
    return project
  }
}

/** Reads the settings of a site without a check of rights: to find what they use. */
export const storedSiteSettings = async (store: Store, projectId: number): Promise<SiteSettings> =>
  settingsIn((await allSites(store)).get(projectId))

/** Settings of a newer version count as the defaults. */
function settingsIn(stored: unknown): SiteSettings {
  const read = siteSettings.safeParse(stored ?? {})
  return read.success ? read.data : defaultSite
}

export function siteOf(project: Project, stored: unknown, addresses: readonly string[]): Site {
  const settings = settingsIn(stored)
  return {
    ...settings,
    name: settings.name || project.name,
    projectId: project.id,
    origin: originOf(project, settings, addresses),
    timeZone: project.timeZone,
    writeKey: project.writeKey,
  }
}

/** The owner's setting takes precedence; then a host of both the project and Tilth, which serves its pages. */
function originOf({ hosts }: Project, { address }: SiteSettings, addresses: readonly string[]): string {
  if (address !== '') return address
  const named = hosts.filter((host) => !host.startsWith('*.'))
  const shared = addresses.find((one) => named.includes(new URL(one).host))
  const [own] = named
  return shared ?? (own === undefined ? (addresses[0] ?? '') : `https://${own}`)
}
