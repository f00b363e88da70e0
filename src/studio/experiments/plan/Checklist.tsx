import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react'
import { checkSeverities, type ReadinessCheck } from '#experiments/planning/readiness'
import type { OverlappingExperiment } from '#experiments/planning/overlap'
import { TextLink } from '#ui/Anchor'
import { number, percent } from '#ui/format'
import { Icon } from '#ui/Icon'
import { FailedMessage } from '#ui/page/FailedMessage'
import { Panel } from '#ui/page/Panel'
import type { TableColumn } from '#ui/table/column'
import { Table } from '#ui/table/Table'
import { paths } from '#studio/paths'
import { getProduct } from '#studio/product'
import { tryEngine } from '#studio/parts/refusals'
import type { OpenExperiment } from '../open-experiment'

/** The conditions to meet before the start; the worst comes first. */
export async function Checklist({ opened }: { opened: OpenExperiment }) {
  const { project, viewer, experiment, status } = opened
  const result = await tryEngine(() =>
    getProduct().experiments.planning.readiness(project.id, experiment.id, viewer),
  )
  if (!result.done)
    return (
      <FailedMessage
        title="The checklist could not be computed"
        body={result.problems.map(({ message }) => message).join(' ')}
      />
    )
  const { checks, overlaps, canStart } = result.readiness
  const sorted = checks.toSorted((one, other) => weightOf(one) - weightOf(other))
  return (
    <>
      <Panel
        title="Checklist"
        description={status === 'draft' ? startWords(canStart) : 'The same checks as before the start.'}
      >
        <ul className="flex flex-col gap-2.5">
          {sorted.map((check) => (
            <CheckLine key={`${check.name} ${check.sentence}`} check={check} />
          ))}
        </ul>
      </Panel>
      {overlaps.length > 0 && (
        <Panel
          title="Other running experiments"
          description="People who read both flags in the last 30 days"
          flush
        >
          <Table
            caption="Other running experiments"
            columns={overlapColumns(project.slug)}
            rows={overlaps}
            rowKey={({ id }) => id}
            empty={null}
          />
        </Panel>
      )}
    </>
  )
}

const startWords = (canStart: boolean): string =>
  canStart ? 'The experiment can start.' : 'Errors keep the experiment from starting.'

const weightOf = ({ severity }: ReadinessCheck): number => checkSeverities.indexOf(severity)

const signs = {
  error: { icon: CircleAlert, colour: 'text-danger-ink', label: 'Error' },
  warning: { icon: TriangleAlert, colour: 'text-warning', label: 'Warning' },
  advice: { icon: Info, colour: 'text-info', label: 'Advice' },
  passed: { icon: CircleCheck, colour: 'text-success', label: 'Passed' },
}

function CheckLine({ check: { severity, sentence } }: { check: ReadinessCheck }) {
  const { icon, colour, label } = signs[severity]
  return (
    <li className="flex gap-2.5">
      <Icon of={icon} label={label} className={`mt-0.5 shrink-0 ${colour}`} />
      <span className={severity === 'passed' ? 'text-muted' : ''}>{sentence}</span>
    </li>
  )
}

const overlapColumns = (slug: string): TableColumn<OverlappingExperiment>[] => [
  {
    key: 'name',
    header: 'Experiment',
    cell: ({ id, name }) => <TextLink href={paths.experiment(slug, id)}>{name}</TextLink>,
  },
  {
    key: 'flag',
    header: 'Flag',
    wideOnly: true,
    cell: ({ flag }) => <bdi className="font-mono">{flag}</bdi>,
  },
  {
    key: 'persons',
    header: 'People in both',
    numeric: true,
    wideOnly: true,
    cell: ({ persons }) => number(persons),
  },
  {
    key: 'share',
    header: 'Share',
    numeric: true,
    tight: true,
    cell: ({ share }) => (share === null ? '–' : percent(share, 1)),
  },
  { key: 'layer', header: 'Kept apart by a layer', cell: ({ isSeparated }) => (isSeparated ? 'Yes' : 'No') },
]
