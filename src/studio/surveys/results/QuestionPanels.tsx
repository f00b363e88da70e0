import { Suspense } from 'react'
import { pointsOf } from '#insights/calendar/clock'
import type { SurveyQuestion } from '#surveys/question'
import type { QuestionResults } from '#surveys/results/question-results'
import type { SurveyResultsPage } from '#surveys/results/results-page'
import type { SurveyVersion } from '#surveys/survey'
import { Skeleton } from '#ui/page/Skeleton'
import { questionName, shownText } from '../builder/flow-words'
import { kindLabel } from '../builder/question-kinds'
import type { OpenSurvey } from '../open-survey'
import { partLabel } from './BreakdownPanel'
import { narrowingOn } from './narrowing'
import type { ResultsFilter } from './results-filter'
import type { AnswerRow } from '../kinds/kind-result'
import { kindResults } from '../kinds/kind-results'
import { currentResults, questionResult } from './question-results'
import { type AnswerPart, QuestionResultPanel } from './QuestionResultPanel'
import type { ScoreCourse } from './RatingResult'
import { TextsResult } from './TextsResult'

interface QuestionPanelsProps {
  opened: OpenSurvey
  filter: ResultsFilter
  results: SurveyResultsPage
  versions: readonly SurveyVersion[]
  cohortNames: ReadonlyMap<string, string>
  addressOf: (changed: ResultsFilter) => string
}

/** A question as it is drawn: with its own results, under its own title. */
interface DrawnQuestion {
  asked: SurveyQuestion
  found: QuestionResults | undefined
  title: string
  note?: string
}

/** The answers to each question: first as the survey asks now, then to what it asked before. */
export function QuestionPanels(props: QuestionPanelsProps) {
  const { opened, results, versions } = props
  const { content } = opened.survey
  const current = content.questions
    .filter(({ kind }) => kind !== 'statement')
    .map((asked) => ({
      asked,
      found: currentResults(asked, results.questions),
      title: questionName(content, asked.id),
    }))
  const currentWidths = panelWidths(current)
  const drawn = new Set(current.map(({ found }) => found))
  const earlier = results.questions
    .filter((found) => found.answered > 0 && !drawn.has(found))
    .flatMap((found): DrawnQuestion[] => earlierQuestion(found, versions))
  const earlierWidths = panelWidths(earlier)
  return (
    <>
      <div className="grid items-start gap-5 xl:grid-cols-2">
        {current.map((one, index) => (
          <OnePanel key={one.asked.id} {...props} one={one} isWide={currentWidths[index] === 'wide'} />
        ))}
      </div>
      {earlier.length > 0 && (
        <div className="grid items-start gap-5 xl:grid-cols-2">
          <h2 className="text-base font-semibold xl:col-span-2">Asked earlier</h2>
          {earlier.map((one, index) => (
            <OnePanel
              key={`${one.asked.id} ${one.found?.version}`}
              {...props}
              one={one}
              isWide={earlierWidths[index] === 'wide'}
            />
          ))}
        </div>
      )}
    </>
  )
}

const panelWidths = (drawn: readonly DrawnQuestion[]) =>
  widthsOf(
    drawn.map(({ asked, found }) => (kindResults[asked.kind].isWide && found?.answered ? 'wide' : 'half')),
  )

function earlierQuestion(found: QuestionResults, versions: readonly SurveyVersion[]): DrawnQuestion[] {
  const version = versions.find((one) => one.version === found.version)
  const asked = version?.content.questions.find(({ id }) => id === found.id)
  if (!asked) return []
  return [{ asked, found, title: shownText(asked.text), note: `Until version ${found.version}` }]
}

const mostPartsOfPanel = 4

function OnePanel({
  one: { asked, found, title, note },
  isWide,
  opened,
  filter,
  results,
  cohortNames,
  addressOf,
}: QuestionPanelsProps & { one: DrawnQuestion; isWide: boolean }) {
  const narrowing = narrowingOn(asked.id, filter, addressOf, {
    slug: opened.project.slug,
    survey: opened.survey.id,
  })
  const parts = (results.breakdown?.values ?? [])
    .slice(0, mostPartsOfPanel)
    .map(({ value, isOthers, numbers }): AnswerPart => ({
      key: JSON.stringify([value, isOthers]),
      label: partLabel({ value, ...(isOthers && { isOthers }) }, cohortNames),
      result: questionResult(asked, sameShape(found, numbers.questions)),
    }))
  const result = questionResult(asked, found)
  const isTyped = result.shape === 'bars' && hasTyped(asked, result.rows)
  return (
    <QuestionResultPanel
      title={title}
      isWide={isWide}
      kind={kindLabel(asked.kind)}
      {...(note !== undefined && { note })}
      result={result}
      narrowing={narrowing}
      course={found && scoreCourse(found, results, opened.project.timeZone)}
      parts={parts}
      texts={
        (result.shape === 'texts' || isTyped) && (
          <Suspense fallback={<Skeleton className="h-40 w-full" />}>
            <TextsResult
              {...(isTyped && { heading: 'Typed answers' })}
              opened={opened}
              id={asked.id}
              title={title}
              isWide={isWide}
              inWords={kindResults[asked.kind].storedInWords}
              filter={filter}
              narrowing={narrowing}
            />
          </Suspense>
        )
      }
    />
  )
}

/** Whether people may have typed answers beside the choices. */
const hasTyped = (question: SurveyQuestion, rows: readonly AnswerRow[]): boolean =>
  ('hasOther' in question && question.hasOther) || rows.some(({ answer }) => answer === null)

const sameShape = (
  found: QuestionResults | undefined,
  all: readonly QuestionResults[],
): QuestionResults | undefined =>
  all.find(({ id, kind, version }) => id === found?.id && kind === found.kind && version === found.version)

function scoreCourse(
  { id, version }: QuestionResults,
  { course }: SurveyResultsPage,
  timeZone: string,
): ScoreCourse | undefined {
  const scores = course?.scores[`${id} ${version}`]
  if (!course || !scores) return undefined
  const { starts, lastIsIncomplete } = course
  const first = Math.max(
    0,
    scores.findIndex((score) => score !== null),
  )
  return {
    points: pointsOf(starts, course.interval, timeZone).slice(first),
    scores: scores.slice(first),
    lastIsIncomplete,
  }
}

type PanelWidth = 'half' | 'wide'

/** Puts panels of half the width in pairs; one that would stand alone in its row is wide. */
export function widthsOf(wanted: readonly PanelWidth[]): PanelWidth[] {
  const widths: PanelWidth[] = []
  for (let index = 0; index < wanted.length; index++) {
    const isPair = wanted[index] === 'half' && wanted[index + 1] === 'half'
    widths.push(...(isPair ? (['half', 'half'] as const) : (['wide'] as const)))
    if (isPair) index++
  }
  return widths
}
