import { valueName } from '#events/value-names'
import type { Outcome } from '#projects/problems'
import { estimateText, valueWords } from '#experiments/results/estimate-words'
import type { ExploredMetric } from '#experiments/results/exploration'
import { Badge } from '#ui/Badge'
import { IntervalAxis, IntervalChart } from '#ui/chart/IntervalChart'
import { intervalScale } from '#ui/chart/interval-scale'
import { EmptyMessage } from '#ui/page/EmptyMessage'
import { FailedMessage } from '#ui/page/FailedMessage'
import { Panel } from '#ui/page/Panel'
import type { VariantColours } from '#studio/flags/variant-colour'
import { VariantName } from '#studio/flags/VariantName'
import { getProduct } from '#studio/product'
import { tryEngine } from '#studio/parts/refusals'
import { pText } from '#experiments/results/p-value'
import { IntervalTable } from '../results/IntervalTable'
import type { OpenExperiment } from '../open-experiment'
import { readingWords, unitOfEffects } from '../results/effects'
import { stacked } from '../results/stacked-row'
import type { Exploration } from './exploration-question'

interface ExploredProps {
  opened: OpenExperiment
  exploration: Exploration
}

/** One segment or part, with the metric that is shown of it. */
interface ExploredRow {
  label: string
  metric: ExploredMetric
}

/** The estimates of each segment or part, on one scale. */
export async function Explored({ opened, exploration }: ExploredProps) {
  const found = await tryEngine(() => rowsOf(opened, exploration))
  if (!found.done)
    return (
      <FailedMessage
        title="The results could not be divided"
        body={found.problems.map(({ message }) => message).join(' ')}
      />
    )
  const { rows } = found
  const title = `${rows[0]?.metric.name ?? 'Results'} by ${exploration.key}`
  if (rows.length === 0)
    return (
      <Panel>
        <EmptyMessage title="No values yet" body={`Nothing exposed has the property ${exploration.key}.`} />
      </Panel>
    )
  return (
    <Panel
      title={title}
      description={
        exploration.by === 'metric'
          ? 'Each part is of all exposed units, so that parts add up to the whole.'
          : 'Units are divided by a value that was known at their exposure.'
      }
      flush
    >
      <ExploredTable title={title} rows={rows} colourOf={opened.colourOf} />
    </Panel>
  )
}

async function rowsOf(
  { project, viewer, experiment }: OpenExperiment,
  { by, key, metric }: Exploration,
): Promise<Outcome<{ rows: ExploredRow[] }>> {
  const { results: experimentResults } = getProduct().experiments
  if (by === 'metric') {
    const outcome = await experimentResults.decomposition(project.id, experiment.id, { metric, key }, viewer)
    if (!outcome.done) return outcome
    const { whole, parts } = outcome.report
    return {
      done: true,
      rows: [
        { label: 'All', metric: whole },
        ...parts.map((part) => ({
          label: part.isOthers ? 'All others' : named(key, part.value),
          metric: part.metric,
        })),
      ],
    }
  }
  const result = await experimentResults.segments(project.id, experiment.id, { type: by, key }, viewer)
  if (!result.done) return result
  return {
    done: true,
    rows: result.report.segments.flatMap(({ value, metrics }) => {
      const shown = metrics.find(({ id }) => id === metric)
      return shown ? [{ label: named(key, value), metric: shown }] : []
    }),
  }
}

/** An exposure or event without the property has an unknown value, whatever the property is. */
const named = (key: string, value: string | null): string => (value ? valueName(key, value) : 'Unknown')

const correctedP = 'Corrected p'

/** Relative estimates only share the scale with others of their kind. */
function ExploredTable({
  title,
  rows,
  colourOf,
}: {
  title: string
  rows: readonly ExploredRow[]
  colourOf: VariantColours
}) {
  const estimates = rows.flatMap(({ metric }) => metric.comparisons)
  const isRelative = estimates.some((one) => one.isRelative)
  const unit = unitOfEffects(rows[0]?.metric ?? { shape: 'mean' }, isRelative ? 'relative' : 'absolute')
  const scale = intervalScale(
    estimates.filter((one) => one.isRelative === isRelative).map(({ estimate }) => estimate),
    [],
    unit,
  )
  return (
    <IntervalTable
      title={title}
      columns={[
        { name: 'Value', className: 'w-44' },
        { name: 'Variant', className: 'w-36' },
        { name: 'Difference', className: 'w-52' },
        {
          name: 'Interval',
          axis: <IntervalAxis scale={scale} unit={unit} />,
          className: 'min-w-48',
        },
        { name: correctedP, className: 'w-28' },
        { name: 'Reading', className: 'w-32' },
      ]}
    >
      {rows.map((row) => (
        <ExploredRows key={row.label} {...{ ...row, scale, isRelative, colourOf }} />
      ))}
    </IntervalTable>
  )
}

function ExploredRows({
  label,
  metric,
  scale,
  isRelative,
  colourOf,
}: ExploredRow & {
  scale: ReturnType<typeof intervalScale>
  isRelative: boolean
  colourOf: VariantColours
}) {
  return (
    <tbody className={stacked.body}>
      {metric.values.map(({ variant, units, value }, i) => (
        <tr key={variant} className={`*:px-3 *:py-1.5 ${stacked.row}`}>
          {i === 0 && (
            <th
              scope="rowgroup"
              rowSpan={metric.values.length}
              className={`text-left align-top font-medium ${stacked.wide}`}
            >
              <bdi>{label}</bdi>
            </th>
          )}
          <th scope="row" className={`text-left font-normal ${stacked.name}`}>
            <VariantName name={variant} colour={colourOf(variant)} small />
            <span className="block text-xs whitespace-nowrap text-muted">
              {valueWords(value, metric, units)}
            </span>
          </th>
          {i === 0 ? (
            <td className={`text-muted ${stacked.reading}`}>Control</td>
          ) : (
            <ExploredCells metric={metric} variant={variant} scale={scale} isRelative={isRelative} />
          )}
        </tr>
      ))}
    </tbody>
  )
}

function ExploredCells({
  metric,
  variant,
  scale,
  isRelative,
}: {
  metric: ExploredMetric
  variant: string
  scale: ReturnType<typeof intervalScale>
  isRelative: boolean
}) {
  const comparison = metric.comparisons.find((one) => one.variant === variant)
  if (!comparison)
    return (
      <td className={`text-muted ${stacked.difference}`}>Too few units or conversions for an estimate</td>
    )
  const { estimate, adjustedP, reading } = comparison
  const shown = comparison.isRelative ? 'relative' : 'absolute'
  const { label, tone } = readingWords[reading]
  const words = estimateText(estimate, metric, { scale: shown })
  return (
    <>
      <td className={`tabular-nums ${stacked.difference}`}>{words}</td>
      <td className={stacked.interval}>
        {comparison.isRelative === isRelative && (
          <IntervalChart label={words} interval={estimate} scale={scale} tone={tone} />
        )}
      </td>
      <td className={`tabular-nums ${stacked.difference}`}>
        <span className={stacked.label}>{correctedP} </span>
        {pText(adjustedP)}
      </td>
      <td className={stacked.reading}>
        <Badge tone={tone === 'good' ? 'success' : tone === 'bad' ? 'danger' : 'neutral'}>{label}</Badge>
      </td>
    </>
  )
}
