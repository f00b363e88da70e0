import { valueWords } from '#experiments/results/estimate-words'
import type { ExperimentPlan, MetricPlan } from '#experiments/planning/plan'
import { Button } from '#ui/Button'
import { LineChart } from '#ui/chart/LineChart'
import { number, percent } from '#ui/format'
import { Field } from '#ui/form/Field'
import { TextInput } from '#ui/form/TextInput'
import { FailedMessage } from '#ui/page/FailedMessage'
import { Panel } from '#ui/page/Panel'
import type { TableColumn } from '#ui/table/column'
import { Table } from '#ui/table/Table'
import { getProduct } from '#studio/product'
import { tryEngine } from '#studio/parts/refusals'
import type { OpenExperiment } from '../open-experiment'
import { DecideAtSize } from './DecideAtSize'

interface SampleSizeProps {
  opened: OpenExperiment
  path: string
  event: string
}

/** The duration of the experiment, estimated from the project’s own history. */
export async function SampleSize({ opened, path, event }: SampleSizeProps) {
  const { project, viewer, experiment } = opened
  const request = { ...(path !== '' && { path }), ...(event !== '' && { event }) }
  const result = await tryEngine(() =>
    getProduct().experiments.planning.plan(project.id, experiment.id, request, viewer),
  )
  return (
    <Panel title="Sample size and running time">
      <div className="flex flex-col gap-5">
        <SourceForm path={path} event={event} />
        {result.done ? (
          <>
            <Planned plan={result.plan} sentences={result.sentences} />
            <PlannedSize opened={opened} plan={result.plan} />
          </>
        ) : (
          <FailedMessage
            title="Nothing could be planned"
            body={result.problems.map(({ message }) => message).join(' ')}
          />
        )}
      </div>
    </Panel>
  )
}

/** The page or event at which people enter the experiment. The form is ordinary: the address holds the answer. */
const SourceForm = ({ path, event }: { path: string; event: string }) => (
  <form method="get" className="flex flex-wrap items-end gap-3">
    <Field label="Page path">
      <TextInput name="path" defaultValue={path} placeholder="/pricing" />
    </Field>
    <Field label="Event">
      <TextInput name="event" defaultValue={event} placeholder="What exposes people" />
    </Field>
    <Button type="submit">Plan again</Button>
  </form>
)

function Planned({ plan, sentences }: { plan: ExperimentPlan; sentences: readonly string[] }) {
  const planned = plan.metrics.filter(({ missing }) => missing === null)
  return (
    <>
      <div className="flex flex-col gap-1">
        {sentences.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
      </div>
      {planned.length > 0 && (
        <>
          <LineChart
            title="Smallest effect that is found, by weeks"
            size="sm"
            unit="percent"
            points={plan.unitsByWeek.map((units, i) => ({
              label: `Week ${i + 1}`,
              title: `After ${i + 1} weeks, ${number(units)} units`,
            }))}
            series={planned.slice(0, mostLines).map(({ id, name, detectable }) => ({
              key: id,
              label: name,
              values: detectable,
            }))}
          />
          <Table
            caption="Sample size of each metric"
            columns={columns}
            rows={planned}
            rowKey={({ id }) => id}
            empty={null}
          />
        </>
      )}
    </>
  )
}

/** A draft can decide at the size that is planned, unless it does. */
function PlannedSize({ opened, plan }: { opened: OpenExperiment; plan: ExperimentPlan }) {
  const { project, experiment, status, whyNot } = opened
  const { kind, analysis } = experiment
  const size = plan.plannedSize
  if (status !== 'draft' || kind !== 'fixed' || analysis.method === 'sequential' || size === null) return null
  const { decision } = analysis
  if (decision.rule === 'planned-size' && decision.units === size) return null
  return <DecideAtSize slug={project.slug} id={experiment.id} units={size} whyNot={whyNot} />
}

const mostLines = 6

const roles = { primary: 'Primary', secondary: 'Secondary', guardrail: 'Guardrail' }

const columns: TableColumn<MetricPlan>[] = [
  { key: 'name', header: 'Metric', cell: ({ name }) => name },
  { key: 'role', header: 'Role', cell: ({ role }) => roles[role], wideOnly: true },
  {
    key: 'mean',
    header: 'Baseline',
    numeric: true,
    wideOnly: true,
    cell: ({ mean, ...unit }) => valueWords(mean, unit),
  },
  {
    key: 'cuped',
    header: 'CUPED gains',
    numeric: true,
    wideOnly: true,
    cell: ({ varianceReduction }) => (varianceReduction === null ? '–' : percent(varianceReduction, 1)),
  },
  ...[1, 2, 4].map((week): TableColumn<MetricPlan> => ({
    key: `week ${week}`,
    header: week === 1 ? 'Found in 1 week' : `In ${week} weeks`,
    numeric: true,
    // the chart has the other weeks
    wideOnly: week < 4,
    cell: ({ detectable }) => {
      const effect = detectable[week - 1]
      return effect === null || effect === undefined ? '–' : percent(effect, 1)
    },
  })),
  {
    key: 'units',
    header: 'Units a variant',
    numeric: true,
    tight: true,
    cell: ({ unitsNeeded }) => (unitsNeeded === null ? '–' : number(unitsNeeded)),
  },
  {
    key: 'days',
    header: 'Days',
    numeric: true,
    tight: true,
    cell: ({ days }) => (days === null ? 'Over a year' : number(days)),
  },
]
