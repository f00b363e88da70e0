import type { Kysely } from 'kysely'
import { members } from './0001-members'
import { persons } from './0002-persons'
import { squashAndSalts } from './0003-squash-and-salts'
import { cohorts } from './0004-cohorts'
import { insights } from './0005-insights'
import { dashboards } from './0006-dashboards'
import { web } from './0007-web'
import { alerts } from './0008-alerts'
import { flags } from './0009-flags'
import { flagGuards } from './0010-flag-guards'
import { flagAskings } from './0011-flag-askings'
import { posts } from './0012-posts'
import { postImages } from './0013-post-images'
import { postComments } from './0014-post-comments'
import { signIn } from './0015-sign-in'
import { sharedByFronts } from './0016-shared-by-fronts'
import { backups } from './0017-backups'
import { installation } from './0018-installation'
import { retention } from './0019-retention'
import { erasuresOnDisk } from './0020-erasures-on-disk'
import { surveys } from './0021-surveys'
import { surveyRemovals } from './0022-survey-removals'

export interface StoreMigration {
  /** Numbered: the name's order is the order of the steps, and a name never changes once released. */
  name: string
  up(tables: Kysely<unknown>, form: 'sqlite' | 'postgres'): Promise<void>
}

export const storeMigrations: readonly StoreMigration[] = [
  members,
  persons,
  squashAndSalts,
  cohorts,
  insights,
  dashboards,
  web,
  alerts,
  flags,
  flagGuards,
  flagAskings,
  posts,
  postImages,
  postComments,
  signIn,
  sharedByFronts,
  backups,
  installation,
  retention,
  erasuresOnDisk,
  surveys,
  surveyRemovals,
]
