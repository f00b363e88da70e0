import type { Engine } from '#engine/engine'
import { sql, string, strings, uint } from '#engine/sql'
import type { Survey } from '#surveys/survey'

interface SurveyResponseCountsDependencies {
  engine: Pick<Engine, 'query'>
  /** All surveys of all projects. */
  everySurvey(): Iterable<Survey>
  onTrouble: (problem: unknown) => void
}

const tickMs = 5000
/** Surveys far from their limit are counted at every so many ticks. */
const ticksWhenFar = 12
/** From this share of the limit on, a survey is counted at every tick. */
const nearShare = 0.8
/** A limit this close is near, whatever its share. */
const nearResponses = 50

/**
 * Counts the submissions of surveys with a limit. The engine counts those of all fronts; between its answers this front
 * adds what it takes in itself. What other fronts take in meanwhile may exceed the limit.
 */
export class SurveyResponseCounts {
  private readonly stored = new Map<string, number>()
  private since = new Map<string, Set<string>>()
  private unnamed = 0
  private ticks = 0
  private timer: NodeJS.Timeout | undefined

  constructor(private readonly dependencies: SurveyResponseCountsDependencies) {}

  start(): void {
    this.timer = setInterval(() => void this.refresh().catch(this.dependencies.onTrouble), tickMs).unref()
    void this.refresh().catch(this.dependencies.onTrouble)
  }

  close(): void {
    clearInterval(this.timer)
  }

  responsesTo({ projectId, id }: Survey): number {
    const key = `${projectId} ${id}`
    return (this.stored.get(key) ?? 0) + (this.since.get(key)?.size ?? 0)
  }

  noteSubmission({ projectId, id, responseLimit }: Survey, submission: string): void {
    if (responseLimit === undefined) return
    const key = `${projectId} ${id}`
    const known = this.since.get(key) ?? new Set()
    known.add(submission || `unnamed ${this.unnamed++}`)
    this.since.set(key, known)
  }

  async refresh(): Promise<void> {
    const isFullTick = this.ticks++ % ticksWhenFar === 0
    const due = [...this.dependencies.everySurvey()].filter(
      (survey) => isLimited(survey) && (isFullTick || this.isNear(survey)),
    )
    for (const [projectId, surveys] of Map.groupBy(due, (survey) => survey.projectId))
      await this.count(projectId, surveys)
  }

  private isNear(survey: Survey): boolean {
    const { responseLimit = Infinity } = survey
    const responses = this.responsesTo(survey)
    return responses >= responseLimit * nearShare || responseLimit - responses <= nearResponses
  }

  /** Submissions that are noted while the engine counts may or may not be in its answer, so they stay noted. */
  private async count(projectId: number, surveys: readonly Survey[]): Promise<void> {
    const before = surveys.map(
      ({ id }) => [`${projectId} ${id}`, this.since.get(`${projectId} ${id}`)] as const,
    )
    for (const [key] of before) this.since.set(key, new Set())
    try {
      const counts = await countSubmissions(this.dependencies.engine, projectId, surveys)
      for (const { id } of surveys) this.stored.set(`${projectId} ${id}`, counts.get(id) ?? 0)
    } catch (problem) {
      for (const [key, noted] of before)
        for (const submission of noted ?? []) this.since.get(key)?.add(submission)
      throw problem
    }
  }
}

const isLimited = ({ responseLimit, startsAt, archivedAt }: Survey): boolean =>
  responseLimit !== undefined && startsAt !== undefined && archivedAt === undefined

/** An event without a submission id is a submission of its own. */
async function countSubmissions(
  engine: Pick<Engine, 'query'>,
  projectId: number,
  surveys: readonly Survey[],
): Promise<Map<string, number>> {
  const rows = await engine.query<{ survey: string; submissions: string }>(
    sql`
      select
        properties['$survey_id'] as survey,
        toString(uniqExact(if(
          properties['$survey_submission_id'] = '',
          toString(uuid),
          properties['$survey_submission_id']
        ))) as submissions
      from events
      where project_id = ${uint(projectId)}
        and event = ${string('survey sent')}
        and survey in ${strings(surveys.map(({ id }) => id))}
      group by survey`,
    { lane: 'ingest' },
  )
  return new Map(rows.map(({ survey, submissions }) => [survey, Number(submissions)]))
}
