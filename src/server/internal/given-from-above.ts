import { environmentKeys } from '#flags/environments'
import { storedIntakeSettings } from '#ingest/project-settings'
import type { InsightsDependencies } from '#insights/ask'
import { answersOfProject } from '#insights/project-settings'
import type { openProjects } from '#projects/open'
import { storedDailyTotals } from '#retention/stored-daily-totals'
import type { Store } from '#store/store'
import { storedSurveys } from '#surveys/results/stored-survey'

/** The settings that other modules keep with a project, and the names that they give away. */
export const schemasOfSettings: Pick<Parameters<typeof openProjects>[0], 'intake' | 'answers' | 'otherKeys'> =
  { intake: storedIntakeSettings, answers: answersOfProject, otherKeys: environmentKeys }

/** Facts that answers to queries need, and that modules above insights store. */
export const storedAnswers = (
  store: Store,
): Pick<InsightsDependencies, 'surveys' | 'removedSubmissions' | 'dailyTotals'> => ({
  ...storedSurveys(store),
  dailyTotals: storedDailyTotals(store),
})
