import { everyBackup } from './internal/store'
import { requireRight, type Viewer } from '#projects/access'
import type { Store } from '#store/store'
import { type BackupStatus, statusOf } from './backup-scheduler'

export interface BackupPlan {
  place: string
  everyMs: number
}

export interface BackupReport extends Pick<BackupStatus, 'lastDone' | 'last'> {
  /** Undefined if no backups are scheduled. */
  plan: BackupPlan | undefined
}

/** The backups that System shows. All fronts share one list, because each backup covers the whole store. */
export class BackupReports {
  constructor(private readonly dependencies: { store: Store; plan: BackupPlan | undefined }) {}

  async read(projectId: number, viewer: Viewer): Promise<BackupReport> {
    requireRight('audit:read', projectId, viewer)
    const { store, plan } = this.dependencies
    const { lastDone, last } = statusOf(await everyBackup(store))
    return { plan, lastDone, last }
  }
}
