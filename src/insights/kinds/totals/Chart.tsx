import { LineChart } from '../../../ui/LineChart'
import { NumberTile } from '../../../ui/NumberTile'
import type { Direction } from '../../../ui/chart'
import { Stats } from '../../../ui/Stat'
import { type ChartProps, notesOn, unitOf } from '../../chart-ground'
import { pointsOf } from '../../clock'
import type { AnswerColumn } from '../../kind'
import { NothingHappened } from '../../NothingHappened'
import type { Totals } from '../../tell-visits'
import type { Figures } from '../../visits'
import type { TotalsQuestion } from './question'

type TotalsChartProps = ChartProps<TotalsQuestion, Totals>

interface Figure {
  of: keyof Figures
  label: string
  as: AnswerColumn['as']
  good?: Direction
  /** Only where a goal is asked about. */
  ofGoal?: true
}

const figures: readonly Figure[] = [
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

/** How many came, how long they stayed, what came of it; and how visitors go over time. */
export function TotalsChart({ answer, question, ground, notes, size }: TotalsChartProps) {
  const { compared, starts, course, interval, period } = answer
  if (answer.figures.visits === 0 && !compared?.figures.visits)
    return (
      <NothingHappened title="Nobody came in this period" body="Try a longer period, or fewer conditions." />
    )
  const shown = figures.filter(({ ofGoal }) => !ofGoal || question.goal)
  return (
    <div className="flex flex-col gap-5">
      <Stats>
        {shown.map(({ of, label, as, good }) => (
          <NumberTile
            key={of}
            label={label}
            value={answer.figures[of]}
            unit={unitOf(as, ground)}
            good={good}
            spark={course.map((figure) => figure[of])}
            lastIsIncomplete={answer.lastIsIncomplete}
            {...(compared && { compared: compared.figures[of], comparedLabel: 'before' })}
          />
        ))}
      </Stats>
      <LineChart
        title="Visitors"
        points={pointsOf(starts, interval, ground.timeZone)}
        series={[
          {
            key: 'visitors',
            label: 'Visitors',
            values: course.map(({ visitors }) => visitors),
            ...(compared && { compared: starts.map((_, place) => compared.course[place]?.visitors ?? null) }),
          },
        ]}
        shape="area"
        lastIsIncomplete={answer.lastIsIncomplete}
        annotations={notesOn(starts, period.until, notes)}
        size={size}
        {...(compared && {
          comparison: { label: 'Before', points: pointsOf(compared.starts, interval, ground.timeZone) },
        })}
      />
    </div>
  )
}
