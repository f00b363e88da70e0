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

/** An expired key is accepted for this long at most; a revoked one only until the change is announced. */
const cacheMs = 5000

/** Caches the projects of secret keys, because servers send one with every flag request. */
export class SecretKeyCache {
  private readonly cache = new LRUCache<string, { projectId: number }>({ max: 1000, ttl: cacheMs })
  readonly close: () => void

  constructor(private readonly dependencies: Dependencies) {
    this.close = dependencies.store.onChange((topic) => {
      if (topic === 'keys') this.cache.clear()
    })
  }

  /** Returns undefined for revoked keys and for keys without the right to read the project. */
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
