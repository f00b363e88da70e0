import { isDemo } from './demo-project'
import type { Project } from './project'

/** Finds projects by the names in requests. */
export class ProjectDirectory {
  private readonly live: readonly Project[]
  private readonly byName: ReadonlyMap<string, Project>

  /** `previews` is the origin below which each project has an address of its own: `localPreviews`, or a setting. */
  constructor(
    readonly all: readonly Project[],
    private readonly previews?: string | undefined,
  ) {
    this.live = all.filter(({ archivedAt }) => !archivedAt)
    this.byName = new Map([
      // keys take precedence over aliases, which any owner can choose
      ...this.live.flatMap((project) => project.aliases.map((alias): [string, Project] => [alias, project])),
      ...this.live.map((project): [string, Project] => [project.writeKey, project]),
    ])
  }

  /** Finds a project by write key or alias. Called for every event. */
  named(name: string): Project | undefined {
    return this.byName.get(name)
  }

  /** The project that claims this host, or else the only one besides the demo. */
  at(host: string): Project | undefined {
    const own = this.live.filter((project) => !isDemo(project))
    return this.claiming(host) ?? (own.length === 1 ? own[0] : undefined)
  }

  /** Whether this host belongs to one project: its settings name it, or it is the project's preview address. */
  isClaimed(host: string): boolean {
    return this.claiming(host) !== undefined
  }

  /** A demo's hosts count too, but never before those of a real project. */
  private claiming(host: string): Project | undefined {
    const lower = host.toLowerCase()
    const name = lower.replace(/:\d+$/, '')
    const claiming = this.live.filter(({ hosts }) => hosts.some((one) => hostCovers(one, lower, name)))
    return claiming.find((project) => !isDemo(project)) ?? claiming[0] ?? this.previewedAt(name)
  }

  private previewedAt(name: string): Project | undefined {
    if (this.previews === undefined) return undefined
    const suffix = `.${new URL(this.previews).hostname}`
    const slug = name.endsWith(suffix) ? name.slice(0, -suffix.length) : undefined
    return this.live.find((project) => project.slug === slug)
  }

  numbered(id: number): Project | undefined {
    return this.all.find((project) => project.id === id)
  }
}

const hostCovers = (claimed: string, host: string, name: string): boolean =>
  claimed === host || claimed === name || (claimed.startsWith('*.') && name.endsWith(claimed.slice(1)))
