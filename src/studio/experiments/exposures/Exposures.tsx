import type { ReactNode } from 'react'
import type { ExperimentReport, PhaseReport } from '#experiments/results/report'
import { number, percent } from '#ui/format'
import { FailedMessage } from '#ui/page/FailedMessage'
import { Notice } from '#ui/page/Notice'
import { Panel } from '#ui/page/Panel'
import type { TableColumn } from '#ui/table/column'
import { Table } from '#ui/table/Table'
import type { VariantColours } from '#studio/flags/variant-colour'
import { VariantName } from '#studio/flags/VariantName'
import { getProduct } from '#studio/product'
import { CalendarDate, type Clock, clockOf } from '#studio/parts/RelativeTime'
import { tryEngine } from '#studio/parts/refusals'
import { pInWords } from '#experiments/results/p-value'
import type { OpenExperiment } from '../open-experiment'
import { firstDimension, type ShownDimension } from './exposure-words'
import { Forensics, peopleLink } from './Forensics'

interface ExposuresProps {
  opened: OpenExperiment
  /** The one that was chosen. */
  dimension: ShownDimension | undefined
  /** The id of the metric that was chosen; without it, the first primary metric counts as conversion. */
  metric: string | undefined
}

/** The exposed units by variant and phase, and those who do not count. */
export async function Exposures({ opened, dimension, metric }: ExposuresProps) {
  const { project, viewer, experiment, colourOf } = opened
  const { results: experimentResults } = getProduct().experiments
  const [result, explained] = await Promise.all([
    tryEngine(() => experimentResults.result(project.id, experiment.id, viewer)),
    tryEngine(() => experimentResults.exposures(project.id, experiment.id, { metric }, viewer)),
  ])
  const failed = [result, explained].find((one) => !one.done)
  if (!result.done || !explained.done)
    return (
      <FailedMessage
        title="Exposures could not be counted"
        body={failed?.done === false && failed.problems.map(({ message }) => message).join(' ')}
      />
    )
  const { report } = result.result
  const { report: forensics } = explained
  if (!report) return null
  const hasPersons = experiment.unit.by === 'person'
  const link = peopleLink({ slug: project.slug, id: experiment.id, hasPersons, metric })
  return (
    <div className="flex flex-col gap-5">
      {forensics.sentence && (
        <Notice tone="danger" title="Sample ratio mismatch">
          {forensics.sentence}
        </Notice>
      )}
      {experiment.kind === 'bandit' && <MovingSplit split={report.weightedSplit} />}
      {(experiment.kind === 'bandit' ? [] : report.phases).map((phase, i) => (
        <Phase
          key={phase.startedAt.toISOString()}
          phase={phase}
          link={(units, variant) => link(units, { state: 'counted', variant, phase: i })}
          title={report.phases.length === 1 ? 'Split' : `Split in phase ${i + 1}`}
          variants={report.variants.map(({ key }) => key)}
          colourOf={colourOf}
          clock={clockOf(project)}
        />
      ))}
      <Forensics
        slug={project.slug}
        id={experiment.id}
        report={forensics}
        dimension={dimension ?? firstDimension(forensics)}
        metrics={experiment.metrics}
        metric={metric}
        colourOf={colourOf}
        hasPersons={hasPersons}
        keepsFirst={experiment.severalVariants === 'first'}
      />
    </div>
  )
}

/** The split of a bandit is not that of one set of weights. */
function MovingSplit({ split }: { split: ExperimentReport['weightedSplit'] }) {
  return (
    <Panel title="Split">
      <p className="text-pretty">
        {split
          ? `The weights move, so the exposures between two moves are tested against the weights of that time: ${pInWords(split.p)}, up to ${percent(split.largestDeviation, 1)} off, over ${number(split.units)} units whose exposure names the version of the flag.`
          : 'The weights move, and too few exposures name the version of the flag by which they were decided. The split is not tested: other clients may decide by earlier weights for a while.'}
      </p>
    </Panel>
  )
}

interface SplitRow {
  variant: string
  units: number
  expected: number | undefined
  observed: number | undefined
  part: number | undefined
}

type SplitLink = (units: number, variant: string) => ReactNode

const splitColumns = (link: SplitLink, colourOf: VariantColours): TableColumn<SplitRow>[] => [
  {
    key: 'variant',
    header: 'Variant',
    cell: ({ variant }) => <VariantName name={variant} colour={colourOf(variant)} />,
  },
  {
    key: 'units',
    header: 'Exposed',
    numeric: true,
    tight: true,
    cell: ({ variant, units }) => link(units, variant),
  },
  {
    key: 'observed',
    header: 'Share',
    numeric: true,
    tight: true,
    cell: ({ observed }) => (observed === undefined ? '–' : percent(observed, 2)),
  },
  {
    key: 'expected',
    header: 'Configured',
    numeric: true,
    tight: true,
    wideOnly: true,
    cell: ({ expected }) => (expected === undefined ? '–' : percent(expected, 2)),
  },
  {
    key: 'deviation',
    header: 'Deviation',
    numeric: true,
    tight: true,
    cell: ({ expected, observed }) => deviationText(expected, observed),
  },
  {
    key: 'part',
    header: 'Part of chi-square',
    numeric: true,
    wideOnly: true,
    tight: true,
    cell: ({ part }) => (part === undefined ? '–' : number(Math.round(100 * part) / 100)),
  },
]

function deviationText(expected: number | undefined, observed: number | undefined): string {
  if (!expected || observed === undefined) return '–'
  const deviation = observed / expected - 1
  return `${deviation > 0 ? '+' : ''}${percent(deviation, 2)}`
}

function Phase({
  phase: { startedAt, units, ratio },
  link,
  title,
  variants,
  colourOf,
  clock,
}: {
  phase: PhaseReport
  link: SplitLink
  title: string
  variants: readonly string[]
  colourOf: VariantColours
  clock: Clock
}) {
  return (
    <>
      <Panel
        title={title}
        description={
          <>
            Since <CalendarDate at={startedAt} clock={clock} />.{' '}
            {ratio
              ? `Chi-square test against the weights of the flag: ${pInWords(ratio.p)}, up to ${percent(ratio.largestDeviation, 1)} off.`
              : 'A condition of the flag fixes variants, so no split is expected.'}
          </>
        }
        flush
      >
        <Table
          caption={title}
          columns={splitColumns(link, colourOf)}
          rows={variants.map((variant, i) => ({
            variant,
            units: units[variant] ?? 0,
            expected: ratio?.arms[i]?.expected,
            observed: ratio?.arms[i]?.observed,
            part: ratio?.arms[i]?.part,
          }))}
          rowKey={({ variant }) => variant}
          empty={null}
        />
      </Panel>
    </>
  )
}
