import { isDemo } from './demo-project'
import type { Project } from './project'

/** Projects as requests name them. */
export class Directory {
  private readonly live: readonly Project[]
  private readonly byName: ReadonlyMap<string, Project>

  constructor(readonly all: readonly Project[]) {
    this.live = all.filter(({ archivedAt }) => !archivedAt)
    this.byName = new Map([
      // a key is stronger than a name somebody else gave: aliases first, so that keys take their place
      ...this.live.flatMap((project) => project.aliases.map((alias): [string, Project] => [alias, project])),
      ...this.live.map((project): [string, Project] => [project.writeKey, project]),
    ])
  }

  /** Whose write key this is, or whose other name: asked for every event. */
  named(name: string): Project | undefined {
    return this.byName.get(name)
  }

  /** Whose pages are at this host. While there is but one project, every page is its own. */
  at(host: string): Project | undefined {
    const name = host.toLowerCase().replace(/:\d+$/, '')
    const live = this.live.filter((project) => !isDemo(project))
    const claiming = live.find(({ hosts }) => hosts.some((one) => covers(one, host.toLowerCase(), name)))
    return claiming ?? (live.length === 1 ? live[0] : undefined)
  }

  /** Whether a project says itself that its pages are at this host. */
  isClaimed(host: string): boolean {
    const name = host.toLowerCase().replace(/:\d+$/, '')
    return this.live.some(({ hosts }) => hosts.some((one) => covers(one, host.toLowerCase(), name)))
  }

  numbered(id: number): Project | undefined {
    return this.all.find((project) => project.id === id)
  }
}

const covers = (claimed: string, host: string, name: string): boolean =>
  claimed === host || claimed === name || (claimed.startsWith('*.') && name.endsWith(claimed.slice(1)))
