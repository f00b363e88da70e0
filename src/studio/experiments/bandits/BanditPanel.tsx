import type { BanditProgress, WeightChange } from '#experiments/bandits/progress'
import { chanceText } from '#experiments/results/estimate-words'
import { Badge } from '#ui/Badge'
import { ChartFrame } from '#ui/chart/ChartFrame'
import { LineChart } from '#ui/chart/LineChart'
import { number } from '#ui/format'
import { EmptyMessage } from '#ui/page/EmptyMessage'
import { Panel } from '#ui/page/Panel'
import type { TableColumn } from '#ui/table/column'
import { Table } from '#ui/table/Table'
import { getProduct } from '#studio/product'
import { type Clock, RelativeTime, clockOf } from '#studio/parts/RelativeTime'
import type { VariantColours } from '#studio/flags/variant-colour'
import { VariantName } from '#studio/flags/VariantName'
import { PauseButton } from '#studio/flags/planning/PauseButton'
import type { OpenExperiment } from '../open-experiment'
import { pauseBandit, resumeBandit } from '../actions'
import type { ChartPoint, Series } from '#ui/chart/chart'
import { bucketPoints } from '#ui/chart/time-axis'

/** The weights of a bandit: as they are, why, what comes next, and how they moved. */
export async function BanditPanel({ opened }: { opened: OpenExperiment }) {
  const { project, viewer, experiment, status, whyNot, colourOf } = opened
  if (experiment.kind !== 'bandit') return null
  const outcome = await getProduct().experiments.bandits.report(project.id, experiment.id, viewer)
  if (!outcome.done) return null
  const { progress, changes } = outcome.report
  const clock = clockOf(project)
  const isPaused = progress.state === 'paused'
  const until = experiment.endedAt ?? clock.now
  return (
    <>
      <Panel
        title="Weights"
        description="The share of people who get each variant, and the chance that it is the best."
        actions={
          status === 'running' && (
            <PauseButton
              slug={project.slug}
              id={experiment.id}
              whyNot={whyNot}
              isPaused={isPaused}
              pause={{ action: pauseBandit, saved: `${experiment.name} paused` }}
              resume={{ action: resumeBandit, saved: `${experiment.name} resumed` }}
            />
          )
        }
        flush
      >
        <Standing progress={progress} isRunning={status === 'running'} clock={clock} />
        <Table
          caption="Weights"
          columns={variantColumns(colourOf)}
          rows={progress.variants.map((variant) => ({
            variant,
            weight: changes[0]?.weights[variant] ?? 0,
            arm: progress.arms.find((arm) => arm.variant === variant),
          }))}
          rowKey={({ variant }) => variant}
          empty={null}
        />
      </Panel>
      <ChartFrame
        title="How the weights moved"
        description="The share that each variant had, from the start on"
        hasTable
        empty={
          changes.length < 2 ? (
            <EmptyMessage title="The weights have not moved yet" body={progress.why} />
          ) : undefined
        }
      >
        <LineChart
          title="How the weights moved"
          {...weightsChart(changes, progress.variants, { until, timeZone: project.timeZone, colourOf })}
          shape="steps"
          unit="percent"
          legend
        />
      </ChartFrame>
      <Changes changes={changes} variants={progress.variants} colourOf={colourOf} clock={clock} />
    </>
  )
}

/** Why the weights are as they are, and when they are checked. */
function Standing({
  progress: { state, why, nextAt, lookedAt },
  isRunning,
  clock,
}: {
  progress: BanditProgress
  isRunning: boolean
  clock: Clock
}) {
  const isPaused = state === 'paused'
  if (!isRunning) return <p className="px-4 pb-3 text-pretty">{why}</p>
  return (
    <div className="px-4 pb-3">
      <p className="flex flex-wrap items-center gap-2">
        <Badge tone={isPaused ? 'warning' : 'info'} dot>
          {isPaused ? 'Paused' : 'Moving'}
        </Badge>
        <span className="text-pretty">{why}</span>
      </p>
      <p className="mt-1 text-xs text-muted">
        {isPaused ? (
          'The weights stay as they are until you resume it. '
        ) : (
          <>
            Next check: {nextAt > clock.now ? <RelativeTime at={nextAt} clock={clock} /> : 'within a minute'}
            .{' '}
          </>
        )}
        {lookedAt && (
          <>
            Checked <RelativeTime at={lookedAt} clock={clock} />.
          </>
        )}
      </p>
    </div>
  )
}

interface VariantRow {
  variant: string
  weight: number
  arm: { units: number; chance: number } | undefined
}

const variantColumns = (colourOf: VariantColours): TableColumn<VariantRow>[] => [
  {
    key: 'variant',
    header: 'Variant',
    cell: ({ variant }) => <VariantName name={variant} colour={colourOf(variant)} />,
  },
  { key: 'weight', header: 'Weight now', numeric: true, cell: ({ weight }) => `${weight}%` },
  {
    key: 'chance',
    header: 'Chance to be best',
    numeric: true,
    cell: ({ arm }) => (arm ? chanceText(arm.chance) : '–'),
  },
  { key: 'units', header: 'Exposed', numeric: true, cell: ({ arm }) => (arm ? number(arm.units) : '–') },
]

interface ChangesProps {
  changes: readonly WeightChange[]
  variants: readonly string[]
  colourOf: VariantColours
  clock: Clock
}

const changeColumns = ({
  variants,
  colourOf,
  clock,
}: Omit<ChangesProps, 'changes'>): TableColumn<WeightChange>[] => [
  { key: 'at', header: 'Since', cell: ({ at }) => <RelativeTime at={at} clock={clock} /> },
  ...variants.map((variant): TableColumn<WeightChange> => ({
    key: `variant ${variant}`,
    header: variant,
    mark: colourOf(variant),
    numeric: true,
    cell: ({ weights }) => `${weights[variant] ?? 0}%`,
  })),
  {
    key: 'moved',
    header: 'Would change variant',
    numeric: true,
    cell: ({ movedPercent }) => `${Math.round(10 * movedPercent) / 10}%`,
  },
  { key: 'version', header: 'Flag version', numeric: true, cell: ({ version }) => number(version) },
  { key: 'by', header: 'By', cell: ({ by }) => <bdi>{by}</bdi> },
  { key: 'why', header: 'Why', cell: ({ why }) => why },
]

const mostShown = 50

/** The log of assignments: who was exposed between two changes got a variant with the weights of the first. */
function Changes({ changes, ...shown }: ChangesProps) {
  return (
    <Panel
      title="Log of weights"
      description={
        changes.length > mostShown
          ? `The latest ${mostShown} of ${number(changes.length)} changes. The API has all of them.`
          : 'With it, each exposure has the probability of its variant.'
      }
      flush
    >
      <Table
        caption="Log of weights"
        columns={changeColumns(shown)}
        rows={changes.slice(0, mostShown)}
        rowKey={({ version }) => String(version)}
        empty={null}
      />
    </Panel>
  )
}

/** The number of stretches of the same length: a change is drawn at most a hundredth of the width after its time. */
const intervals = 100

/**
 * The weights of each variant at evenly spaced times, from the first change until now, so that a stretch of the chart
 * is as wide as it was long. `changes` begin with the latest.
 */
export function weightsChart(
  changes: readonly WeightChange[],
  variants: readonly string[],
  { until, timeZone, colourOf }: { until: Date; timeZone: string; colourOf: VariantColours },
): { points: ChartPoint[]; series: Series[] } {
  const from = changes.at(-1)?.at.getTime() ?? until.getTime()
  const length = Math.max(until.getTime() - from, 0)
  const times = Array.from({ length: intervals + 1 }, (_, i) => new Date(from + (i * length) / intervals))
  const inForce = times.map((time) => changes.find(({ at }) => at <= time))
  return {
    points: bucketPoints(
      times.map((time) => localTime(time, timeZone)),
      'minute',
    ),
    series: variants.map((variant) => ({
      key: variant,
      label: variant,
      colour: colourOf(variant),
      values: inForce.map((change) => (change ? (change.weights[variant] ?? 0) / 100 : null)),
    })),
  }
}

/** As "2026-03-02T10:00:00", by the calendar of the project. */
const localTime = (at: Date, timeZone: string): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
    .format(at)
    .replace(' ', 'T')
