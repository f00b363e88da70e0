import { sanitizeHtml } from '../sanitize-html'
import { iterationAt, type Survey, type SurveyStatus } from '../survey'
import { reasonsAgainstPosthog } from './internal/posthog-limits'
import { toPosthog } from './internal/to-posthog'

/** The surveys of a project that posthog-js may show at this moment, as JSON. */
export interface PosthogSurveyList {
  /** The body of `/api/surveys/`. */
  json: string
  isEmpty: boolean
}

interface PosthogSurveyListsDependencies {
  /** Always the same list until a survey of the project changes. */
  surveysOf(projectId: number): readonly Survey[]
  statusOf: (survey: Survey) => SurveyStatus
  /** The key of the flag that decides who is eligible; undefined where everyone is. */
  targetingFlagOf(survey: Survey): string | undefined
  now(): Date
}

interface CachedList extends PosthogSurveyList {
  surveys: readonly Survey[]
  /** When a survey begins, ends or begins another iteration. */
  until: number
  /** The surveys with a limit that was reached. */
  full: string
}

const noSurveys: PosthogSurveyList = { json: '{"surveys":[]}', isEmpty: true }

/** Serialises each project's surveys once per change: every page that is opened asks for them. */
export class PosthogSurveyLists {
  private readonly lists = new Map<number, CachedList>()

  constructor(private readonly dependencies: PosthogSurveyListsDependencies) {}

  listOf(projectId: number): PosthogSurveyList {
    const surveys = this.dependencies.surveysOf(projectId)
    if (surveys.length === 0) return noSurveys
    const now = this.dependencies.now()
    const full = this.fullAmong(surveys)
    const cached = this.lists.get(projectId)
    if (cached?.surveys === surveys && cached.full === full && now.getTime() < cached.until) return cached
    const list = { ...this.write(surveys, now), surveys, full, until: nextChange(surveys, now) }
    this.lists.set(projectId, list)
    return list
  }

  private fullAmong(surveys: readonly Survey[]): string {
    return surveys
      .filter((survey) => survey.responseLimit !== undefined && this.dependencies.statusOf(survey) === 'full')
      .map(({ id }) => id)
      .join(' ')
  }

  private write(surveys: readonly Survey[], now: Date): PosthogSurveyList {
    const shown = surveys.filter((survey) => this.isShown(survey, now))
    const json = JSON.stringify({
      surveys: shown.map((survey) =>
        toPosthog(survey, now, {
          targetingFlag: this.dependencies.targetingFlagOf(survey),
          sanitize: sanitizeHtml,
        }),
      ),
    })
    return { json, isEmpty: shown.length === 0 }
  }

  /** posthog-js would show whatever it is given. */
  private isShown(survey: Survey, now: Date): boolean {
    const isOver = survey.schedule.kind === 'recurring' && !iterationAt(survey, now)
    return (
      !isOver &&
      this.dependencies.statusOf(survey) === 'running' &&
      reasonsAgainstPosthog(survey).length === 0
    )
  }
}

const dayMs = 86_400_000

function nextChange(surveys: readonly Survey[], now: Date): number {
  const moments = surveys.flatMap((survey) => {
    const { startsAt, endsAt, schedule } = survey
    const iteration = iterationAt(survey, now)
    const nextIteration =
      iteration && schedule.kind === 'recurring'
        ? iteration.startedAt.getTime() + schedule.everyDays * dayMs
        : Infinity
    return [startsAt?.getTime() ?? Infinity, endsAt?.getTime() ?? Infinity, nextIteration]
  })
  return Math.min(Infinity, ...moments.filter((moment) => moment > now.getTime()))
}
