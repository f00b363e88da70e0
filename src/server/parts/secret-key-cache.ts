import { LRUCache } from 'lru-cache'
import { may, localOrigin } from '#projects/access'
import type { Keys } from '#projects/keys'
import type { Project } from '#projects/project'
import type { Projects } from '#projects/projects'
import { hashToken } from '#projects/secrets'
import type { Store } from '#store/store'

interface Dependencies {
  keys: Pick<Keys, 'viewer'>
  projects: Pick<Projects, 'numbered'>
  store: Pick<Store, 'onChange'>
}

/** A key that has run out is believed for so long at most; one that was revoked is not, as soon as word of it comes. */
const cacheMs = 5000

/** Caches the projects of secret keys: servers send one with every flag request, and the store is spared. */
export class SecretKeyCache {
  private readonly cache = new LRUCache<string, { projectId: number }>({ max: 1000, ttl: cacheMs })
  readonly close: () => void

  constructor(private readonly dependencies: Dependencies) {
    this.close = dependencies.store.onChange((topic) => {
      if (topic === 'keys') this.cache.clear()
    })
  }

  /** Revoked keys, and those that may not read the project, open nothing. */
  async projectOf(secret: string): Promise<Project | undefined> {
    const name = hashToken(secret)
    const known = this.cache.get(name)
    if (known) return this.dependencies.projects.numbered(known.projectId)
    const viewer = await this.dependencies.keys.viewer(secret, localOrigin)
    if (!viewer || !may('project:read', viewer.projectId, viewer)) return undefined
    this.cache.set(name, { projectId: viewer.projectId })
    return this.dependencies.projects.numbered(viewer.projectId)
  }
}
