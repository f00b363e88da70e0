import { pointsOf } from '#insights/calendar/clock'
import type { ChartSettings } from '#insights/chart-settings'
import type { SurveyQuery } from '#insights/kinds/survey/schema'
import type { SurveyAnswer } from '#insights/kinds/survey/survey'
import type { QuestionResults } from '#surveys/results/question-results'
import { marketFitOf } from '#surveys/results/market-fit'
import { resultsPage, type SurveyResultsPage } from '#surveys/results/results-page'
import { BarChart } from '#ui/chart/BarChart'
import { BarList } from '#ui/chart/BarList'
import type { ChartSize } from '#ui/chart/chart'
import { Stat, Stats } from '#ui/chart/Stat'
import { number, percent } from '#ui/format'
import { EmptyMessage } from '#ui/page/EmptyMessage'
import { MarketFitScore } from '#studio/surveys/results/MarketFitScore'
import { ScoreLine, ScoreOverTime } from '#studio/surveys/results/RatingResult'

interface SurveyCardProps {
  question: SurveyQuery
  answer: SurveyAnswer
  title: string
  settings: ChartSettings
  size: ChartSize
}

/** A survey, or the answers to one of its questions, as counts: neither persons nor what they wrote. */
export function SurveyCard({ question: { about }, answer, title, settings, size }: SurveyCardProps) {
  const page = resultsPage(answer, [])
  if (page.submissions.started === 0)
    return <EmptyMessage title="No answers in this period" body="Responses are counted within a minute." />
  if (about === undefined) return <WholeSurvey page={page} />
  const [found] = page.questions
    .filter(({ id }) => id === about)
    .toSorted((one, other) => other.version - one.version)
  if (!found) return <EmptyMessage title="The question is not in the survey" body="Remove the card." />
  return found.rating ? (
    <Rating found={found} page={page} title={title} settings={settings} size={size} />
  ) : (
    <Choices found={found} title={title} />
  )
}

function Choices({ found, title }: { found: QuestionResults; title: string }) {
  const { choices = [], answered } = found
  const marketFit = marketFitOf({ choices }, found)
  return (
    <div className="flex flex-col gap-3">
      {marketFit && <MarketFitScore estimate={marketFit} />}
      <BarList
        title={title}
        heads={{ label: 'Answer', value: 'Responses' }}
        total={answered}
        rows={rowsOf(found)}
      />
    </div>
  )
}

function WholeSurvey({ page }: { page: SurveyResultsPage }) {
  const { submissions, responseRate, completionRate } = page
  const scores = page.questions.flatMap((found) => scoreOf(found) ?? [])
  const [score] = scores
  return (
    <div className="flex flex-col gap-3">
      <Stats framed={false}>
        <Stat label="Responses" value={number(submissions.responded)} />
        <Stat label="Response rate" value={responseRate ? percent(responseRate.value) : '–'} />
        <Stat label="Completion rate" value={completionRate ? percent(completionRate.value) : '–'} />
      </Stats>
      {score && <ScoreLine {...score} />}
    </div>
  )
}

function scoreOf({ rating }: QuestionResults) {
  if (rating?.nps) return { label: 'NPS', estimate: rating.nps, unit: 'points' } as const
  return rating?.csat && ({ label: 'CSAT', estimate: rating.csat, unit: 'percent' } as const)
}

function Rating({
  found,
  page: { course },
  title,
  settings,
  size,
}: Pick<SurveyCardProps, 'title' | 'settings' | 'size'> & {
  found: QuestionResults
  page: SurveyResultsPage
}) {
  const score = scoreOf(found)
  const { values = [] } = found.rating ?? {}
  const scores = course?.scores[`${found.id} ${found.version}`]
  return (
    <div className="flex flex-col gap-3">
      {score && <ScoreLine {...score} />}
      {course && scores ? (
        <ScoreOverTime
          title={title}
          isNps={score?.label === 'NPS'}
          size={size}
          course={{
            points: pointsOf(course.starts, course.interval, settings.timeZone),
            scores,
            lastIsIncomplete: course.lastIsIncomplete,
          }}
        />
      ) : (
        <BarChart
          title={`${title}: answers`}
          points={values.map(({ value }) => ({ label: labelOf(value, values.length) }))}
          series={[{ key: 'answers', label: 'Answers', values: values.map(({ count }) => count) }]}
          size={size}
        />
      )}
    </div>
  )
}

/** Thumbs have no numbers. */
function labelOf(value: number, count: number): string {
  if (count !== 2) return String(value)
  return value === 1 ? 'Thumbs up' : 'Thumbs down'
}

function rowsOf({ choices = [], consent }: QuestionResults) {
  if (consent)
    return [
      { key: 'given', label: 'Given', value: consent.givenCount },
      { key: 'refused', label: 'Not given', value: consent.refusedCount },
    ]
  return choices
    .filter(({ id, count }) => id !== null || count > 0)
    .map(({ id, text, count }) => ({ key: id ?? 'other', label: text, value: count }))
    .toSorted((one, other) => other.value - one.value)
}
