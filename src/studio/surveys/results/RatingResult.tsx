import { BarChart } from '#ui/chart/BarChart'
import { LineChart } from '#ui/chart/LineChart'
import type { ChartPoint, ChartSize, Series } from '#ui/chart/chart'
import { ColourMark } from '#ui/chart/ColourMark'
import { LinkButton } from '#ui/LinkButton'
import { number, percent } from '#ui/format'
import type { Estimate } from '#surveys/results/intervals'
import type { Narrowing } from './narrowing'
import type { AnswerRow, QuestionResult, RatingScore } from '../kinds/kind-result'

/** A score for each bucket of time; null where there is no answer. */
export interface ScoreCourse {
  points: readonly ChartPoint[]
  scores: readonly (Estimate | null)[]
  lastIsIncomplete: boolean
}

interface RatingResultProps {
  title: string
  result: Extract<QuestionResult, { shape: 'rating' }>
  course: ScoreCourse | undefined
  narrowing: Narrowing
}

/** The score of a rating, how the answers are distributed, and the score over time. */
export function RatingResult({ title, result, course, narrowing }: RatingResultProps) {
  const { rows, score } = result
  return (
    <div className="flex flex-col gap-5">
      {score && <Score score={score} narrowing={narrowing} />}
      <div className="grid gap-x-8 gap-y-5 lg:grid-cols-2">
        <Part heading="Answers">
          <BarChart
            title={`${title}: answers`}
            points={rows.map(({ key, label, answer }) => ({
              // thumbs have no numbers
              label: rows.length === 2 ? label : key,
              title: label,
              href: narrowing.hrefOf([answer]),
            }))}
            series={answerSeries(rows, score)}
            legend={false}
            size="sm"
          />
        </Part>
        {course && <ScoreOverTime title={title} course={course} isNps={score?.label === 'NPS'} />}
      </div>
    </div>
  )
}

/** One series, or one for each group that has a colour. */
function answerSeries(rows: readonly AnswerRow[], score: RatingScore | undefined): Series[] {
  const groups = score?.groups.filter(({ colour }) => colour !== undefined) ?? []
  if (groups.length === 0)
    return [{ key: 'answers', label: 'Answers', values: rows.map(({ value }) => value) }]
  return groups.map(({ label, values, colour }) => ({
    key: label,
    label,
    ...(colour !== undefined && { colour }),
    values: rows.map(({ answer, value }) => (values.some((one) => one === answer) ? value : null)),
  }))
}

function Part({ heading, children }: { heading: string; children: React.ReactNode }) {
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <h3 className="text-xs font-medium text-muted">{heading}</h3>
      {children}
    </div>
  )
}

/** A score with its interval, where there are two of them. */
export function ScoreOverTime({
  title,
  course,
  isNps,
  size = 'sm',
}: {
  title: string
  course: ScoreCourse
  isNps: boolean
  size?: ChartSize
}) {
  const { points, scores, lastIsIncomplete } = course
  const label = isNps ? 'NPS' : 'CSAT'
  if (scores.filter((score) => score !== null).length < 2) return null
  const rounded = (value: number) => (isNps ? Math.round(value) : Math.round(value * 100) / 100)
  return (
    <Part heading={`${label} over time, with its 95% interval`}>
      <LineChart
        title={`${title}: ${label} over time`}
        points={points}
        unit={isNps ? 'number' : 'percent'}
        series={[
          {
            key: 'score',
            label,
            values: scores.map((score) => score && rounded(score.value)),
            bounds: scores.map((score) => score && ([rounded(score.low), rounded(score.high)] as const)),
          },
        ]}
        legend={false}
        lastIsIncomplete={lastIsIncomplete}
        size={size}
      />
    </Part>
  )
}

/** A score, and the groups that make it. */
function Score({ score: { groups, ...score }, narrowing }: { score: RatingScore; narrowing: Narrowing }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
      <ScoreLine {...score} />
      <ul className="flex flex-wrap gap-1.5">
        {groups.map((group) => (
          <li key={group.label}>
            <LinkButton
              size="sm"
              variant={narrowing.isCurrent(group.values) ? 'primary' : 'secondary'}
              href={narrowing.hrefOf(group.values)}
              aria-current={narrowing.isCurrent(group.values) ? 'true' : undefined}
              icon={group.colour && <ColourMark colour={group.colour} />}
            >
              {group.label}
              {(!narrowing.hasValues || group.count > 0) && (
                <span className="tabular-nums">{number(group.count)}</span>
              )}
            </LinkButton>
          </li>
        ))}
      </ul>
    </div>
  )
}

interface ScoreLineProps extends Pick<RatingScore, 'estimate' | 'unit'> {
  label: RatingScore['label'] | 'PMF'
}

/** A score with the interval that contains the true one in 95 of 100 samples. */
export const ScoreLine = ({ label, estimate: { value, low, high }, unit }: ScoreLineProps) => (
  <p className="flex flex-wrap items-baseline gap-x-2">
    <span className="text-2xl font-semibold tabular-nums">{scoreText(value, unit)}</span>
    <span className="font-medium">{label}</span>
    <span className="text-xs text-muted">
      {scoreText(low, unit)} to {scoreText(high, unit)} with 95% confidence
    </span>
  </p>
)

export const scoreText = (value: number, unit: RatingScore['unit']): string =>
  unit === 'percent' ? percent(value, 0) : number(Math.round(value))
