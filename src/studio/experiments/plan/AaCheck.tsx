import { getProduct } from '#studio/product'
import type { OpenExperiment } from '../open-experiment'
import { AaCheckPanel } from './AaCheckPanel'

/** “Can I trust this on my data?” */
export async function AaCheck({ opened }: { opened: OpenExperiment }) {
  const { project, viewer, experiment } = opened
  const outcome = await getProduct().experiments.aaChecks.state(project.id, experiment.id, viewer)
  return (
    <AaCheckPanel
      slug={project.slug}
      id={experiment.id}
      check={outcome.done ? outcome.check : { state: 'none' }}
      whyNot={experiment.metrics.length === 0 ? 'Add a metric first.' : undefined}
    />
  )
}
