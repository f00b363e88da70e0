import { LineChart } from '#ui/chart/LineChart'
import { NumberTile } from '#ui/chart/NumberTile'
import type { Direction } from '#ui/chart/chart'
import { Stats } from '#ui/chart/Stat'
import { figuresOfPersons, marginText, nameWithMargin } from '#insights/approximation'
import { type ChartProps, annotationsOn, fromFirstEvent, unitOf } from '#insights/chart-settings'
import { pointsOf } from '#insights/calendar/clock'
import { comparisonWords } from '#insights/calendar/period-words'
import type { AnswerColumn } from '#insights/kind'
import { bounceRuleText } from '#insights/bounce-rule'
import type { VisitTotals } from '#insights/compile/visit-totals'
import type { VisitFigures } from '#insights/compile/visits'
import type { TotalsQuery } from '#insights/kinds/totals/schema'
import { NothingHappened } from '../../chart/NothingHappened'

type TotalsChartProps = ChartProps<TotalsQuery, VisitTotals>

interface TotalsFigure {
  of: keyof VisitFigures
  label: string
  as: AnswerColumn['as']
  good?: Direction
  /** Shown only for queries with a goal. */
  ofGoal?: true
}

const figures: readonly TotalsFigure[] = [
  { of: 'visitors', label: 'Visitors', as: 'number' },
  { of: 'visits', label: 'Visits', as: 'number' },
  { of: 'views', label: 'Views', as: 'number' },
  { of: 'viewsPerVisit', label: 'Views per visit', as: 'number' },
  { of: 'bounceRate', label: 'Bounce rate', as: 'percent', good: 'down' },
  { of: 'duration', label: 'Visit duration', as: 'duration' },
  { of: 'revenue', label: 'Revenue', as: 'money' },
  { of: 'conversions', label: 'Conversions', as: 'number', ofGoal: true },
  { of: 'conversionRate', label: 'Conversion rate', as: 'percent', ofGoal: true },
]

/** The figures that all visitors of the period are behind. */
const countsVisitors: ReadonlySet<TotalsFigure['of']> = new Set(['visitors', 'visits', 'views'])

/** Draws the figures of web analytics, and visitors over time. */
export function TotalsChart({ answer, approximate, query, settings, notes, size, drill }: TotalsChartProps) {
  const { compared, starts, course, interval, period } = answer
  if (answer.figures.visits === 0 && !compared?.figures.visits)
    return (
      <NothingHappened title="No visitors in this period" body="Try a longer date range or fewer filters." />
    )
  const shown = figures.filter(({ ofGoal }) => !ofGoal || query.goal)
  return (
    <div className="chart-column flex flex-col gap-5">
      <Stats framed={false}>
        {shown.map(({ of, label, as, good }) => (
          <NumberTile
            key={of}
            label={label}
            {...(of === 'bounceRate' && { about: bounceRuleText(settings.bounceRule) })}
            value={answer.figures[of]}
            unit={unitOf(as, settings)}
            good={good}
            {...(approximate && figuresOfPersons.has(of) && { margin: marginText })}
            {...(countsVisitors.has(of) && { href: drill?.({}) })}
            spark={course.map((figure) => figure[of])}
            lastIsIncomplete={answer.lastIsIncomplete}
            {...(compared && { compared: compared.figures[of], comparedLabel: 'in the previous period' })}
          />
        ))}
      </Stats>
      <LineChart
        title="Visitors"
        {...fromFirstEvent(
          {
            points: pointsOf(starts, interval, settings.timeZone),
            series: [
              {
                key: 'visitors',
                label: nameWithMargin({ name: 'Visitors', ...approximate }),
                values: course.map(({ visitors }) => visitors),
                hrefs: course.map((_, bucket) => drill?.({ bucket })),
                ...(compared && {
                  compared: starts.map((_, place) => compared.course[place]?.visitors ?? null),
                }),
              },
            ],
            annotations: annotationsOn(starts, period.until, notes),
            ...(compared && {
              comparison: {
                label: comparisonWords(query.compare ?? 'previous'),
                points: pointsOf(compared.starts, interval, settings.timeZone),
              },
            }),
          },
          starts,
          settings.since,
        )}
        shape="area"
        lastIsIncomplete={answer.lastIsIncomplete}
        size={size}
      />
    </div>
  )
}
