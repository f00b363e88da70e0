import { z } from 'zod'
import { Refused, requireRight, type Viewer } from '../projects/access'
import { record } from '../projects/audit'
import { type Outcome, parse } from '../projects/problems'
import type { Project } from '../projects/project'
import type { Projects } from '../projects/projects'
import type { Store } from '../store/store'
import type { World } from '../world/world'
import type { Published } from './published'
import { type Site, type SiteSettings, siteSettings, usualSite } from './site'
import { everySite, saveSite } from './store'

interface Ground {
  store: Store
  world: World
  projects: Pick<Projects, 'numbered'>
  /** Where Tilth itself is reached. */
  addresses: readonly string[]
  published: Pick<Published, 'caughtUp'>
}

const changes = z.looseObject({}, { error: 'Say what is to change.' })
const wanted = z.strictObject(siteSettings.shape)

/** How a project's site looks, and whether there is one. */
export class Sites {
  constructor(private readonly ground: Ground) {}

  /** Also where it is turned off. */
  async read(projectId: number, viewer: Viewer): Promise<Site> {
    requireRight('project:read', projectId, viewer)
    const project = this.project(projectId)
    return siteOf(project, (await everySite(this.ground.store)).get(projectId), this.ground.addresses)
  }

  /** What is not said stays as it is. */
  async change(projectId: number, input: unknown, viewer: Viewer): Promise<Outcome<{ site: Site }>> {
    requireRight('site:write', projectId, viewer)
    const said = parse(changes, input)
    if (!said.done) return said
    const project = this.project(projectId)
    const { store, world, addresses } = this.ground
    const outcome = await store.transaction(async (transaction): Promise<Outcome<{ site: Site }>> => {
      const before = settingsIn((await everySite(transaction)).get(projectId))
      const parsed = parse(wanted, { ...before, ...said.value })
      if (!parsed.done) return parsed
      await saveSite(transaction, projectId, parsed.value, world.now())
      await transaction.announce('sites')
      const deed = {
        action: 'site.change',
        subject: project.name,
        projectId,
        before,
        after: parsed.value,
      } as const
      await record(transaction, deed, viewer, world.now())
      return { done: true, site: siteOf(project, parsed.value, addresses) }
    })
    if (outcome.done) await this.ground.published.caughtUp()
    return outcome
  }

  private project(projectId: number): Project {
    const project = this.ground.projects.numbered(projectId)
    if (!project) throw new Refused('not-found', 'There is no such project.')
    return project
  }
}

/** Settings written by a newer Tilth count as the usual. */
function settingsIn(kept: unknown): SiteSettings {
  const read = siteSettings.safeParse(kept ?? {})
  return read.success ? read.data : usualSite
}

export function siteOf(project: Project, kept: unknown, addresses: readonly string[]): Site {
  const settings = settingsIn(kept)
  return {
    ...settings,
    name: settings.name || project.name,
    projectId: project.id,
    origin: originOf(project, settings, addresses),
    timeZone: project.timeZone,
    writeKey: project.writeKey,
  }
}

/** What its owners said counts; then a name that is the project's and Tilth's alike, for there its pages are. */
function originOf({ hosts }: Project, { address }: SiteSettings, addresses: readonly string[]): string {
  if (address !== '') return address
  const named = hosts.filter((host) => !host.startsWith('*.'))
  const shared = addresses.find((one) => named.includes(new URL(one).host))
  const [own] = named
  return shared ?? (own === undefined ? (addresses[0] ?? '') : `https://${own}`)
}
