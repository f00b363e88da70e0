import { type Sql, sql, string, uint } from '#engine/sql'
import { queryPeriod } from '../../query-fields'
import type { QueryScope } from '../../scope'
import { answerCode } from './internal/answer-code'
import type { VersionSpec } from './schema'
import { type PlannedQuestion, readingPlan, type ReadingPlan } from './internal/reading-plan'
import {
  completesColumn,
  eventOrder,
  isEvent,
  isKept,
  isOfVersion,
  iterationColumn,
  rawAnswer,
  submissionColumn,
  surveyColumn,
  surveyEvents,
  surveysEventsIn,
  versionColumn,
} from './internal/submissions'

/** A survey of a list, and the rating that its row shows. */
export interface ListedSurvey {
  survey: string
  versions: VersionSpec[]
  removed: string[]
  /** The id of a rating; as its latest version asks it. */
  rating: string | undefined
}

/** The numbers of a survey in a list. */
export interface SurveyFigures {
  responded: number
  /** Persons, once in each run. */
  reached: number
  answered: number
  rating: { least: number; most: number; counts: ReadonlyMap<number, number> } | undefined
}

interface FigureRow {
  survey: string
  figure: number
  count: number
}

const figureCodes = { reached: 1, answered: 2, responded: 3 } as const
/** A rating has the code of its value and this. */
const firstRating = 10

interface PlannedSurvey extends ListedSurvey {
  plan: ReadingPlan
  asked: PlannedQuestion | undefined
}

/** Counts the answers of all time to many surveys, in one statement. */
export async function figuresOf(
  surveys: readonly ListedSurvey[],
  scope: QueryScope,
): Promise<Map<string, SurveyFigures>> {
  if (surveys.length === 0) return new Map()
  const planned = surveys.map((one) => ({ ...one, ...plannedRating(one) }))
  const rows = await scope.run<FigureRow>(await statementOf(planned, scope))
  const bySurvey = Map.groupBy(rows, ({ survey }) => survey)
  return new Map(planned.map((one) => [one.survey, figuresIn(one, bySurvey.get(one.survey) ?? [])]))
}

function plannedRating({ versions, rating }: ListedSurvey): Pick<PlannedSurvey, 'plan' | 'asked'> {
  const plan = readingPlan(versions)
  const asked = plan.questions
    .filter(({ id, kind }) => id === rating && kind === 'rating')
    .toSorted((one, other) => (other.versions.at(-1) ?? 0) - (one.versions.at(-1) ?? 0))[0]
  return { plan, asked }
}

function figuresIn({ asked }: PlannedSurvey, rows: readonly FigureRow[]): SurveyFigures {
  const counts = new Map(rows.map(({ figure, count }) => [figure, count]))
  const { least = 1, most = 5 } = asked ?? {}
  return {
    responded: counts.get(figureCodes.responded) ?? 0,
    reached: counts.get(figureCodes.reached) ?? 0,
    answered: counts.get(figureCodes.answered) ?? 0,
    rating: asked && {
      least,
      most,
      counts: new Map(
        rows.flatMap(({ figure, count }) => (figure >= firstRating ? [[figure - firstRating, count]] : [])),
      ),
    },
  }
}

async function statementOf(surveys: readonly PlannedSurvey[], scope: QueryScope): Promise<Sql> {
  const everything = { period: 'all', traffic: 'human', withoutTestAccounts: false } as const
  const period = await queryPeriod(everything, scope)
  const ids = surveys.map(({ survey }) => survey)
  const eventsOf = (names?: readonly string[]) => surveysEventsIn(ids, everything, scope, period, names)
  return sql`
    select survey, figure, count() as count
    from (
      ${persons(surveys, eventsOf())}
      union all
      ${submissions(surveys, eventsOf([surveyEvents.sent]))}
    )
    where figure > 0
    group by survey, figure`
}

function persons(surveys: readonly PlannedSurvey[], events: ReturnType<typeof surveysEventsIn>): Sql {
  const survey = surveyColumn(events)
  const iteration = iterationColumn(events)
  const submission = submissionColumn(events)
  return sql`
    select
      survey,
      arrayJoin(if(has_answered, ${codes('reached', 'answered')}, ${codes('reached')})) as figure
    from (
      select survey, max(${isEvent('sent')}) as has_answered
      from (
        select event, ${survey} as survey, cityHash64(person, ${iteration}) as who, ${submission} as submission
        from ${events.rows()} as events
      )
      where ${keptOfEach(surveys)}
      group by survey, who
    )`
}

function submissions(surveys: readonly PlannedSurvey[], events: ReturnType<typeof surveysEventsIn>): Sql {
  const survey = surveyColumn(events)
  const submission = submissionColumn(events)
  const completes = completesColumn(events)
  const version = perSurvey(surveys, ({ plan }) => versionColumn(plan, events), sql`toUInt64(1)`)
  const rating = perSurvey(
    surveys,
    ({ asked, plan }) => {
      if (!asked) return sql`toUInt64(0)`
      const isAsked = isOfVersion(asked.versions, plan.versions.length)
      return sql`if(${isAsked}, toUInt64(${answerCode(asked, rawAnswer(asked, plan, events))}), 0)`
    },
    sql`toUInt64(0)`,
  )
  return sql`
    select
      survey,
      arrayJoin([
        ${uint(figureCodes.responded)},
        if(latest > 0, latest + ${uint(firstRating - 1)}, 0)
      ]) as figure
    from (
      select survey, argMaxIf(rating, ${eventOrder(sql`rating > 0`)}, rating > 0) as latest
      from (
        select
          ${survey} as survey,
          ${submission} as submission,
          toUInt64(toUnixTimestamp64Milli(timestamp)) as moment,
          ${completes} as completes,
          ${version} as version,
          ${rating} as rating
        from ${events.rows()} as events
      )
      where ${keptOfEach(surveys)}
      group by survey, cityHash64(submission)
    )`
}

const codes = (...names: (keyof typeof figureCodes)[]): Sql =>
  sql`[${sql.join(names.map((name) => uint(figureCodes[name])))}]`

/** A column that each survey has its own way to compute. */
function perSurvey<Survey extends ListedSurvey>(
  surveys: readonly Survey[],
  of: (survey: Survey) => Sql,
  otherwise: Sql,
): Sql {
  const cases = surveys.map((one) => sql`survey = ${string(one.survey)}, ${of(one)}`)
  return sql`multiIf(${sql.join(cases)}, ${otherwise})`
}

function keptOfEach(surveys: readonly ListedSurvey[]): Sql {
  const changed = surveys.filter(({ removed }) => removed.length > 0)
  if (changed.length === 0) return sql`true`
  return perSurvey(
    changed,
    ({ removed }) => isKept({ removed, onlyRemoved: false, among: undefined }),
    sql`true`,
  )
}
