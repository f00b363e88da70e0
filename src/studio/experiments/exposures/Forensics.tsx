import type { ExperimentMetric } from '#experiments/experiment'
import type { ExposureGroup, ExposureReport } from '#experiments/results/exposures'
import { dimensionLabels } from '#experiments/results/exposure-words'
import { TextLink } from '#ui/Anchor'
import { number, percent, plural } from '#ui/format'
import { EmptyMessage } from '#ui/page/EmptyMessage'
import { LinkTabs } from '#ui/page/LinkTabs'
import { Panel } from '#ui/page/Panel'
import type { TableColumn } from '#ui/table/column'
import { Table } from '#ui/table/Table'
import type { VariantColours } from '#studio/flags/variant-colour'
import { VariantName } from '#studio/flags/VariantName'
import { paths } from '#studio/paths'
import { pText } from '#experiments/results/p-value'
import { groupLabel, severalWords, type ShownDimension, shownDimensions, stateWords } from './exposure-words'

interface ForensicsProps {
  slug: string
  id: string
  report: ExposureReport
  dimension: ShownDimension
  metrics: readonly Pick<ExperimentMetric, 'id' | 'name' | 'role'>[]
  /** The one that was chosen. */
  metric: string | undefined
  colourOf: VariantColours
  /** Whether units are persons, so that numbers lead to them. */
  hasPersons: boolean
  /** Whether units of several variants count for the first one. */
  keepsFirst?: boolean
}

/** A number that leads to the persons behind it. */
export type PeopleLink = (count: number, point: object) => React.ReactNode

export const peopleLink =
  ({
    slug,
    id,
    hasPersons,
    metric,
  }: Pick<ForensicsProps, 'slug' | 'id' | 'hasPersons' | 'metric'>): PeopleLink =>
  (count, point) =>
    count === 0 || !hasPersons ? (
      number(count)
    ) : (
      <TextLink href={paths.experimentPeople(slug, id, { ...point, metric })}>{number(count)}</TextLink>
    )

/** Served, seen and converted, by variant and by what units have in common; and those who do not count. */
export function Forensics(props: ForensicsProps) {
  const { slug, id, report, dimension, metrics, metric, colourOf } = props
  const shown = metric ?? metrics.find(({ role }) => role === 'primary')?.id
  const link = peopleLink(props)
  return (
    <>
      <Panel
        title="From served to converted"
        description="Served: code read the flag. Seen: a browser displayed the variant. Converted: the metric’s event came."
        flush
      >
        {metrics.length > 1 && (
          <div className="overflow-x-auto px-4 pb-3">
            <LinkTabs
              label="Converted in"
              look="segment"
              tabs={metrics.map((one) => ({
                label: one.name,
                href: paths.experimentExposures(slug, id, { by: dimension, metric: one.id }),
                current: one.id === shown,
              }))}
            />
          </div>
        )}
        <Table
          caption="From served to converted"
          columns={totalColumns(report.totals, link, colourOf)}
          rows={report.totals}
          rowKey={({ variant }) => variant}
          empty={null}
        />
      </Panel>
      <Panel
        title={report.isSplitTested ? 'Where the split differs' : 'Who was exposed'}
        description={
          report.isSplitTested
            ? 'Each row’s part in the chi-square statistic, and the p-value of the split without it.'
            : 'The weights move, so groups differ by when they came. Their splits are not tested.'
        }
        flush
      >
        <div className="overflow-x-auto px-4 pb-3">
          <LinkTabs
            label="Group by"
            look="segment"
            tabs={shownDimensions.map((one) => ({
              label: dimensionLabels[one],
              href: paths.experimentExposures(slug, id, { by: one, metric }),
              current: one === dimension,
            }))}
          />
        </div>
        <Table
          caption={`Exposures by ${dimensionLabels[dimension].toLowerCase()}`}
          columns={[
            ...groupColumns(report.variants, link, colourOf),
            ...(report.isSplitTested ? splitColumns : []),
          ]}
          rows={report.groups.filter((group) => group.dimension === dimension)}
          rowKey={({ value }) => value}
          empty={<EmptyMessage title="No exposures yet" />}
        />
        <ValuesLeftOut report={report} dimension={dimension} />
      </Panel>
      <LeftOut report={report} keepsFirst={props.keepsFirst ?? false} link={link} />
      <Differences report={report} />
    </>
  )
}

/** Says how many values the table does not have. */
function ValuesLeftOut({ report, dimension }: Pick<ForensicsProps, 'report' | 'dimension'>) {
  const left = report.groupsLeftOut.find((one) => one.dimension === dimension)
  if (!left) return null
  return (
    <p className="border-t border-line px-4 py-2.5 text-xs text-muted">
      {number(left.values)} more with {plural(left.units, 'unit')} in all
    </p>
  )
}

type Totals = ExposureReport['totals'][number]

const totalColumns = (
  totals: readonly Totals[],
  link: PeopleLink,
  colourOf: VariantColours,
): TableColumn<Totals>[] => [
  {
    key: 'variant',
    header: 'Variant',
    cell: ({ variant }) => <VariantName name={variant} colour={colourOf(variant)} />,
  },
  {
    key: 'units',
    header: 'Counted',
    numeric: true,
    tight: true,
    cell: ({ variant, units }) => link(units, { state: 'counted', variant }),
  },
  {
    key: 'served',
    header: 'Served',
    numeric: true,
    tight: true,
    cell: ({ variant, served }) => link(served, { state: 'counted', variant, served: true }),
  },
  // only pages that Tilth renders report what was displayed
  ...(totals.some(({ viewed }) => viewed > 0)
    ? [
        {
          key: 'viewed',
          header: 'Seen',
          numeric: true,
          tight: true,
          cell: ({ variant, viewed }: Totals) => link(viewed, { state: 'counted', variant, viewed: true }),
        },
      ]
    : []),
  {
    key: 'converted',
    header: 'Converted',
    numeric: true,
    tight: true,
    cell: ({ variant, converted }) => link(converted, { state: 'counted', variant, converted: true }),
  },
  {
    key: 'rate',
    header: 'Rate',
    numeric: true,
    tight: true,
    cell: ({ units, converted }) => (units === 0 ? '–' : percent(converted / units)),
  },
]

const groupColumns = (
  variants: readonly string[],
  link: PeopleLink,
  colourOf: VariantColours,
): TableColumn<ExposureGroup>[] => [
  {
    key: 'value',
    header: 'Units with',
    cell: ({ dimension, value }) => <bdi>{groupLabel(dimension, value)}</bdi>,
  },
  ...variants.map((variant): TableColumn<ExposureGroup> => ({
    key: `variant ${variant}`,
    header: variant,
    mark: colourOf(variant),
    numeric: true,
    tight: true,
    cell: ({ dimension, value, variants: counts }) =>
      link(counts.find((one) => one.variant === variant)?.units ?? 0, {
        state: 'counted',
        variant,
        dimension,
        value,
      }),
  })),
  {
    key: 'left',
    header: 'Left out',
    numeric: true,
    tight: true,
    cell: ({ dimension, value, leftOut }) => link(leftOut, { counted: false, dimension, value }),
  },
]

const splitColumns: TableColumn<ExposureGroup>[] = [
  { key: 'own', header: 'p of its split', numeric: true, tight: true, cell: ({ split }) => pText(split.p) },
  {
    key: 'part',
    header: 'Part of chi-square',
    numeric: true,
    wideOnly: true,
    tight: true,
    cell: ({ contribution }) => number(Math.round(100 * contribution) / 100),
  },
  {
    key: 'without',
    header: 'p without it',
    numeric: true,
    wideOnly: true,
    tight: true,
    cell: ({ without }) => (without ? pText(without.p) : '–'),
  },
]

interface LeftOutRow {
  key: string
  what: string
  variants: string
  units: number
  point: object
}

const leftOutColumns = (link: PeopleLink): TableColumn<LeftOutRow>[] => [
  { key: 'what', header: 'Why', cell: ({ what }) => what },
  { key: 'variants', header: 'Variant', cell: ({ variants }) => <bdi>{variants}</bdi> },
  { key: 'units', header: 'Units', numeric: true, cell: ({ units, point }) => link(units, point) },
]

function LeftOut({
  report,
  keepsFirst,
  link,
}: {
  report: ExposureReport
  keepsFirst: boolean
  link: PeopleLink
}) {
  const several = report.severalVariants.map(({ seen, cause, units }): LeftOutRow => ({
    key: JSON.stringify([seen, cause]),
    what: keepsFirst ? severalWords[cause] : `${stateWords.several}: ${severalWords[cause].toLowerCase()}`,
    variants: seen.join(' and '),
    units,
    point: { seen, cause },
  }))
  const others = report.leftOut
    .filter(({ state }) => state !== 'several')
    .map(({ state, variant, units }): LeftOutRow => ({
      key: `${state} ${variant}`,
      what: stateWords[state],
      variants: variant || '–',
      units,
      point: { state, variant },
    }))
  return (
    <>
      {keepsFirst && (
        <Panel
          title="Saw several variants"
          description="They count for the variant that they saw first. What they did with a later one makes effects look smaller."
          flush
        >
          <Table
            caption="Saw several variants"
            columns={leftOutColumns(link)}
            rows={several}
            rowKey={({ key }) => key}
            empty={<EmptyMessage title="No unit saw several variants" />}
          />
        </Panel>
      )}
      <Panel title="Left out of the results" flush>
        <Table
          caption="Left out of the results"
          columns={leftOutColumns(link)}
          rows={keepsFirst ? others : [...several, ...others]}
          rowKey={({ key }) => key}
          empty={<EmptyMessage title="No unit is left out" />}
        />
      </Panel>
    </>
  )
}

function Differences({ report: { differences } }: { report: ExposureReport }) {
  if (differences.length === 0) return null
  return (
    <Panel title="Why an insight over the same people differs">
      <ul className="flex list-disc flex-col gap-1 pl-5">
        {differences.map(({ reason, sentence }) => (
          <li key={reason}>{sentence}</li>
        ))}
      </ul>
    </Panel>
  )
}
