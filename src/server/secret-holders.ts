import { LRUCache } from 'lru-cache'
import { may, nowhere } from '../projects/access'
import type { Keys } from '../projects/keys'
import type { Project } from '../projects/project'
import type { Projects } from '../projects/projects'
import { fingerprint } from '../projects/secrets'
import type { Store } from '../store/store'

interface Ground {
  keys: Pick<Keys, 'viewer'>
  projects: Pick<Projects, 'numbered'>
  store: Pick<Store, 'onChange'>
}

/** A key that has run out is believed for so long at most; one that was revoked is not, as soon as word of it comes. */
const believedMs = 5000

/** Whose projects servers may read by their secret keys. They ask for every flag anew, and the store need not hear it. */
export class SecretHolders {
  private readonly known = new LRUCache<string, { projectId: number }>({ max: 1000, ttl: believedMs })
  readonly close: () => void

  constructor(private readonly ground: Ground) {
    this.close = ground.store.onChange((topic) => {
      if (topic === 'keys') this.known.clear()
    })
  }

  /** Revoked keys, and those that may not read the project, open nothing. */
  async projectOf(secret: string): Promise<Project | undefined> {
    const name = fingerprint(secret)
    const known = this.known.get(name)
    if (known) return this.ground.projects.numbered(known.projectId)
    const viewer = await this.ground.keys.viewer(secret, nowhere)
    if (!viewer || !may('project:read', viewer.projectId, viewer)) return undefined
    this.known.set(name, { projectId: viewer.projectId })
    return this.ground.projects.numbered(viewer.projectId)
  }
}
