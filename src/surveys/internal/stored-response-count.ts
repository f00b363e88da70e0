import type { Engine } from '#engine/engine'
import { sql, string, strings, uint } from '#engine/sql'
import type { Store, TableSource } from '#store/store'
import type { PublishedSurveys } from './published-surveys'
import {
  forgetCount,
  forgetSubmissionsBefore,
  saveCompleteCount,
  submissionsBegunSince,
} from './stored-submissions'
import { type SubmissionCounts, submissionMemoryMs } from './submission-counts'
import type { Survey } from '../survey'
import type { World } from '#world/world'

interface StoredResponseCountDependencies {
  store: Store
  engine: Pick<Engine, 'query'>
  world: World
  counts: Pick<SubmissionCounts, 'isComplete' | 'all'>
  published: Pick<PublishedSurveys, 'find' | 'everySurvey'>
}

/** Submissions that began earlier are in the engine. */
const engineLagMs = 3600_000

/**
 * Counts what was stored before a survey had a response limit, once for each survey. From then on every front counts
 * what it takes in.
 */
export class StoredResponseCount {
  constructor(private readonly dependencies: StoredResponseCountDependencies) {}

  async run(): Promise<void> {
    const { store, world, counts, published } = this.dependencies
    for (const survey of published.everySurvey()) {
      if (isLimited(survey) && !counts.isComplete(survey)) await this.complete(survey)
    }
    for (const { projectId, surveyId } of counts.all())
      if (published.find(projectId, surveyId)?.responseLimit === undefined)
        await store.transaction((transaction) => forgetCount(transaction, { projectId, surveyId }))
    await forgetSubmissionsBefore(store, new Date(world.now().getTime() - submissionMemoryMs))
  }

  private async complete({ projectId, id: surveyId }: Survey): Promise<void> {
    const { store, engine, world } = this.dependencies
    const now = world.now()
    const since = new Date(now.getTime() - engineLagMs)
    const recentOf = async (from: TableSource): Promise<string[]> =>
      (await submissionsBegunSince(from, since))
        .filter((one) => one.projectId === projectId && one.surveyId === surveyId)
        .map(({ submission }) => submission)
    const stored = await countSubmissions(engine, { projectId, surveyId }, await recentOf(store))
    await store.transaction(async (transaction) => {
      const recent = await recentOf(transaction)
      await saveCompleteCount(transaction, { projectId, surveyId }, stored + recent.length, now)
    })
  }
}

const isLimited = ({ responseLimit, startsAt, archivedAt }: Survey): boolean =>
  responseLimit !== undefined && startsAt !== undefined && archivedAt === undefined

/** Counts the submissions of a survey in the engine without these. An event without an id is one of its own. */
export async function countSubmissions(
  engine: Pick<Engine, 'query'>,
  { projectId, surveyId }: { projectId: number; surveyId: string },
  except: readonly string[],
): Promise<number> {
  const [row] = await engine.query<{ submissions: string }>(
    sql`
      select toString(uniqExact(if(
        properties['$survey_submission_id'] = '',
        toString(uuid),
        properties['$survey_submission_id']
      ))) as submissions
      from events
      where project_id = ${uint(projectId)}
        and event = ${string('survey sent')}
        and properties['$survey_id'] = ${string(surveyId)}
        and properties['$survey_submission_id'] not in ${strings([...except])}`,
    { lane: 'ingest' },
  )
  return Number(row?.submissions ?? 0)
}
