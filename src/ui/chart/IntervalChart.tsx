import { shortAmount, type Unit } from '../format'
import type { ChartInterval, IntervalScale } from './interval-scale'

/** The meaning of an interval: the word stands beside it, the colour repeats it. */
export type IntervalTone = 'good' | 'bad' | 'unclear'

interface IntervalChartProps {
  /** In words, for those who do not see it. */
  label: string
  interval: ChartInterval
  /** The same before an adjustment: thinner, below. */
  other?: ChartInterval | undefined
  scale: IntervalScale
  tone: IntervalTone
  /** The amount that must not be passed, as a dashed line. */
  margin?: number | undefined
}

const tones: Record<IntervalTone, string> = {
  good: 'text-success',
  bad: 'text-danger-ink',
  unclear: 'text-chart-rest',
}

/** One interval in a row of a table. All rows of the table share the scale. */
export function IntervalChart({ label, interval, other, scale, tone, margin }: IntervalChartProps) {
  return (
    <svg role="img" aria-label={label} className="block h-9 w-full overflow-visible print:h-7">
      <title>{label}</title>
      <ScaleLines scale={scale} />
      {margin !== undefined && (
        <line
          x1={`${scale.position(margin)}%`}
          x2={`${scale.position(margin)}%`}
          y1="0"
          y2="100%"
          className="stroke-warning"
          strokeWidth="1.5"
          strokeDasharray="3 3"
        />
      )}
      <g className={tones[tone]}>
        <Bar interval={interval} scale={scale} y={other ? 40 : 50} isMain />
      </g>
      {other && (
        <g className="text-faint">
          <Bar interval={other} scale={scale} y={76} />
        </g>
      )}
    </svg>
  )
}

/** The lines of the scale in a row without an interval. */
export function EmptyInterval({ scale }: { scale: IntervalScale }) {
  return (
    <svg aria-hidden className="block h-9 w-full overflow-visible print:h-7">
      <ScaleLines scale={scale} />
    </svg>
  )
}

const ScaleLines = ({ scale }: { scale: IntervalScale }) =>
  scale.at.map((amount) => (
    <line
      key={amount}
      x1={`${scale.position(amount)}%`}
      x2={`${scale.position(amount)}%`}
      y1="-4"
      y2="120%"
      className={amount === 0 ? 'stroke-muted' : 'stroke-chart-grid'}
    />
  ))

interface BarProps {
  interval: ChartInterval
  scale: IntervalScale
  /** In percent of the height. */
  y: number
  isMain?: boolean
}

function Bar({ interval: { value, low, high }, scale, y, isMain = false }: BarProps) {
  const [from, to] = [scale.position(low), scale.position(high)]
  const height = isMain ? 10 : 3
  return (
    <>
      <rect
        x={`${from}%`}
        width={`${Math.max(to - from, 0.5)}%`}
        y={`${y}%`}
        height={height}
        transform={`translate(0 ${-height / 2})`}
        rx={isMain ? 2 : 1}
        fill="currentColor"
        fillOpacity={isMain ? 0.45 : 0.6}
      />
      {low < scale.min && <CutOff x={from} y={y} direction={-1} />}
      {high > scale.max && <CutOff x={to} y={y} direction={1} />}
      <Estimate x={scale.position(value)} y={y} reach={isMain ? 9 : 4} />
    </>
  )
}

/** The end of an interval that goes on beyond the scale. */
const CutOff = ({ x, y, direction }: { x: number; y: number; direction: 1 | -1 }) => (
  <svg x={`${x}%`} y={`${y}%`} overflow="visible">
    <path d={`M${direction * 1},-5l${direction * 6},5l${-direction * 6},5Z`} fill="currentColor" />
  </svg>
)

const Estimate = ({ x, y, reach }: { x: number; y: number; reach: number }) => (
  <svg x={`${x}%`} y={`${y}%`} overflow="visible">
    <path d={`M0,${-reach}V${reach}`} stroke="currentColor" strokeWidth="2.5" />
  </svg>
)

/** The amounts above the rows. */
export function IntervalAxis({ scale, unit }: { scale: IntervalScale; unit: Unit }) {
  // every second label, where there are many
  const isShown = (index: number) => scale.at.length <= 5 || (index - scale.at.indexOf(0)) % 2 === 0
  return (
    <span aria-hidden className="relative block h-4 font-normal tabular-nums">
      {scale.at.map((amount, index) =>
        isShown(index) ? (
          <span
            key={amount}
            className="absolute -translate-x-1/2 text-2xs whitespace-nowrap text-faint"
            style={{ left: `${scale.position(amount)}%` }}
          >
            {amount > 0 ? '+' : ''}
            {shortAmount(amount, unit)}
          </span>
        ) : null,
      )}
    </span>
  )
}
