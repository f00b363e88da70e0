import type { ColumnType } from 'kysely'
import { z } from 'zod'
import { AccessRefusedError, requireRight, type Viewer } from '#projects/access'
import { recordAudit } from '#projects/audit'
import { type Outcome, parseInput, failedOutcome } from '#projects/problems'
import { previewOrigin } from '#projects/preview-address'
import type { Project } from '#projects/project'
import type { Projects } from '#projects/projects'
import type { Store, TableSource } from '#store/store'
import { openTables } from '#store/tables'
import type { World } from '#world/world'
import type { Published } from '../published/published'
import { type Site, type SiteSettings, siteSettings, defaultSite } from '../site'
import { withPostTransaction } from './post-transaction'

interface SiteRow {
  projectId: number
  settings: ColumnType<unknown, object, object>
  changedAt: Date
}

const open = openTables<{ sites: SiteRow }>({ json: ['settings'] })

interface Dependencies {
  store: Store
  world: World
  projects: Pick<Projects, 'numbered' | 'at' | 'isClaimed'>
  /** The addresses of this Tilth. */
  addresses: readonly string[]
  /** The origin below which each site has a preview address. */
  previews?: string | undefined
  published: Pick<Published, 'caughtUp' | 'rootProject'>
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
    return this.siteOf(project, (await allSites(this.dependencies.store)).get(projectId))
  }

  /** Fields that are absent stay unchanged. */
  async change(projectId: number, input: unknown, viewer: Viewer): Promise<Outcome<{ site: Site }>> {
    requireRight('site:write', projectId, viewer)
    const parsedChange = parseInput(changeInput, input)
    if (!parsedChange.done) return parsedChange
    const project = this.project(projectId)
    const { world } = this.dependencies
    return await withPostTransaction(
      this.dependencies,
      async (transaction): Promise<Outcome<{ site: Site }>> => {
        const stored = await allSites(transaction)
        const before = settingsIn(stored.get(projectId))
        const parsed = parseInput(settingsSchema, { ...before, ...parsedChange.value })
        if (!parsed.done) return parsed
        const { address } = parsed.value
        if (address !== before.address && this.isTaken(address, projectId, stored)) return addressTakenProblem
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
        return { done: true, site: this.siteOf(project, parsed.value) }
      },
    )
  }

  /** Whether a request to this address is answered by another project's site. */
  private isTaken(address: string, projectId: number, stored: ReadonlyMap<number, unknown>): boolean {
    if (address === '') return false
    const { addresses, projects, published } = this.dependencies
    const { host } = new URL(address)
    const others = [...stored].filter(
      ([id, settings]) =>
        id !== projectId && !projects.numbered(id)?.archivedAt && settingsIn(settings).address === address,
    )
    const answering = addresses.includes(address) ? published.rootProject() : undefined
    const claiming = projects.isClaimed(host) ? projects.at(host) : answering
    return others.length > 0 || (claiming !== undefined && claiming.id !== projectId)
  }

  private siteOf(project: Project, stored: unknown): Site {
    const { addresses, previews, published } = this.dependencies
    return siteOf(project, stored, { addresses, previews, root: published.rootProject() })
  }

  private project(projectId: number): Project {
    const project = this.dependencies.projects.numbered(projectId)
    if (!project) throw new AccessRefusedError('not-found', 'There is no such project.')
    return project
  }
}

const addressTakenProblem = failedOutcome('Another project’s site is at this URL. Choose another.', 'address')

/** Reads the settings of a site without a check of rights: to find what they use. */
export const storedSiteSettings = async (store: Store, projectId: number): Promise<SiteSettings> =>
  settingsIn((await allSites(store)).get(projectId))

/** Settings of a newer version count as the defaults. */
function settingsIn(stored: unknown): SiteSettings {
  const read = siteSettings.safeParse(stored ?? {})
  return read.success ? read.data : defaultSite
}

/** The facts that decide the origin of a site that has no URL of its own. */
interface SiteContext {
  /** The addresses of this Tilth. */
  addresses: readonly string[]
  previews: string | undefined
  /** The project whose site is at the first of these addresses. */
  root: Project | undefined
}

export function siteOf(project: Project, stored: unknown, where: SiteContext): Site {
  const settings = settingsIn(stored)
  return {
    ...settings,
    name: settings.name || project.name,
    projectId: project.id,
    origin: settings.address || originOf(project, where),
    timeZone: project.timeZone,
    writeKey: project.writeKey,
  }
}

/** A host of both the project and Tilth, which serves its pages, precedes the project's other hosts. */
function originOf({ id, slug, hosts }: Project, { addresses, previews, root }: SiteContext): string {
  const named = hosts.filter((host) => !host.startsWith('*.'))
  const shared = addresses.find((one) => named.includes(new URL(one).host))
  const [own] = named
  if (shared !== undefined || own !== undefined) return shared ?? `https://${own}`
  const preview = root && root.id !== id ? previewOrigin(slug, previews) : undefined
  return preview ?? addresses[0] ?? ''
}

/** Returns settings by project, unparsed: `Sites` parses them. */
export async function allSites(source: TableSource): Promise<Map<number, unknown>> {
  const rows = await open(source).selectFrom('sites').selectAll().execute()
  return new Map(rows.map(({ projectId, settings }) => [projectId, settings]))
}

async function saveSite(source: TableSource, projectId: number, settings: object, at: Date): Promise<void> {
  const columns = { settings, changedAt: at }
  await open(source)
    .insertInto('sites')
    .values({ projectId, ...columns })
    .onConflict((conflict) => conflict.column('projectId').doUpdateSet(columns))
    .execute()
}
