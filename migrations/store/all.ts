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
import { flagRequestCounts } from './0011-flag-askings'
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
import { surveySubmissions } from './0023-survey-submissions'
import { surveyLinks } from './0024-survey-links'
import { surveyWebhooks } from './0025-survey-webhooks'
import { surveyMailings } from './0026-survey-mailings'
import { experiments } from './0027-experiments'
import { flagLayers } from './0028-flag-layers'
import { bandits } from './0030-bandits'
import { definitions } from './0032-definitions'
import { savedMetrics } from './0029-saved-metrics'
import { personLists } from './0031-person-lists'
import { personSplits } from './0033-person-splits'
import { letters } from './0034-letters'
import { imageLibrary } from './0035-image-library'
import { unpublishedChanges } from './0036-unpublished-changes'
import { imports } from './0037-imports'
import { importedProperties } from './0038-imported-properties'
import { importUploads } from './0039-import-uploads'
import { movedEntries } from './0040-moved-entries'
import { dailySums } from './0041-daily-sums'
import { eventMonths } from './0042-event-months'
import { shareLinks } from './0043-share-links'
import { surveyTags } from './0044-survey-tags'
import { deliveryLanes } from './0045-delivery-lanes'
import { experimentAnswers } from './0046-experiment-answers'
import { reportParts } from './0047-report-parts'
import { siteCacheTags } from './0048-site-cache-tags'
import { personNames } from './0051-person-names'
import { siteAddress } from './0053-site-address'
import { mailServer } from './0054-mail-server'
import { importedProfiles } from './0055-imported-profiles'
import { posthogForms } from './0056-posthog-forms'
import { sealingKey } from './0057-sealing-key'
import { announcedUuids } from './0058-announced-uuids'
import { agentAccess } from './0059-agent-access'
import { proposals } from './0060-proposals'

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
  flagRequestCounts,
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
  surveySubmissions,
  surveyLinks,
  surveyWebhooks,
  surveyMailings,
  experiments,
  flagLayers,
  savedMetrics,
  bandits,
  personLists,
  definitions,
  personSplits,
  letters,
  imageLibrary,
  unpublishedChanges,
  imports,
  importedProperties,
  importUploads,
  movedEntries,
  dailySums,
  eventMonths,
  shareLinks,
  surveyTags,
  deliveryLanes,
  experimentAnswers,
  reportParts,
  siteCacheTags,
  personNames,
  siteAddress,
  mailServer,
  importedProfiles,
  posthogForms,
  sealingKey,
  announcedUuids,
  agentAccess,
  proposals,
]
