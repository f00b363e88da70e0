import { FlaskConical } from 'lucide-react'
import { type Experiment, statusOf } from '#experiments/experiment'
import { TextLink } from '#ui/Anchor'
import { Icon } from '#ui/Icon'
import { LinkButton } from '#ui/LinkButton'
import { Panel } from '#ui/page/Panel'
import { paths } from '#studio/paths'
import { ExperimentStatusBadge } from '#studio/parts/ExperimentStatusBadge'

interface ExperimentsPanelProps {
  slug: string
  flagKey: string
  experiments: readonly Pick<Experiment, 'id' | 'name' | 'startedAt' | 'endedAt' | 'archivedAt'>[]
}

/** The experiments that compare the variants of a flag. */
export function ExperimentsPanel({ slug, flagKey, experiments }: ExperimentsPanelProps) {
  return (
    <Panel
      title="Experiments"
      actions={
        <LinkButton
          size="sm"
          href={paths.newExperiment(slug, { flag: flagKey })}
          icon={<Icon of={FlaskConical} />}
        >
          New experiment
        </LinkButton>
      }
    >
      {experiments.length === 0 ? (
        <p className="text-muted">
          No experiments on this flag. An experiment measures which variant is better.
        </p>
      ) : (
        <ul className="divide-y divide-line">
          {experiments.map((experiment) => (
            <li
              key={experiment.id}
              className="flex items-center justify-between gap-3 py-2 first:pt-0 last:pb-0"
            >
              <span className="min-w-0 wrap-anywhere">
                <TextLink href={paths.experiment(slug, experiment.id)}>{experiment.name}</TextLink>
              </span>
              <ExperimentStatusBadge status={statusOf(experiment)} />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}
