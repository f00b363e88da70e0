import type { InsightsDependencies, StoredSurvey } from '#insights/ask'
import type { Store } from '#store/store'
import { versionsOf } from '../internal/store'
import { removedSubmissionsIn, removedSubmissionsOf } from './internal/store'
import { versionSpecs } from './internal/version-specs'

/** Returns functions that read stored surveys for insights. */
export const storedSurveys = (
  store: Store,
): Required<Pick<InsightsDependencies, 'surveys' | 'removedSubmissions'>> => ({
  surveys: (projectId, id) => storedSurvey(store, projectId, id),
  removedSubmissions: async (projectId) =>
    (await removedSubmissionsIn(store, projectId)).map(({ submission }) => submission),
})

/** Undefined for a survey without versions, which does not exist. */
async function storedSurvey(
  store: Store,
  projectId: number,
  surveyId: string,
): Promise<StoredSurvey | undefined> {
  const versions = await versionsOf(store, projectId, surveyId)
  if (versions.length === 0) return undefined
  return {
    versions: versionSpecs(versions),
    removed: await removedSubmissionsOf(store, projectId, surveyId),
  }
}
