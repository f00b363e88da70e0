import { getProduct } from '#studio/product'
import { whyNot } from '#studio/parts/open-project'
import type { OpenExperiment } from '../open-experiment'
import { AaCheckPanel } from './AaCheckPanel'

/** “Can I trust this on my data?” */
export async function AaCheck({ opened }: { opened: OpenExperiment }) {
  const { project, viewer, role, experiment } = opened
  const outcome = await getProduct().experiments.aaChecks.state(project.id, experiment.id, viewer)
  return (
    <AaCheckPanel
      slug={project.slug}
      id={experiment.id}
      check={outcome.done ? outcome.check : { state: 'none' }}
      whyNot={
        whyNot('experiments:write', role) ??
        (experiment.metrics.length === 0 ? 'Add a metric first.' : undefined)
      }
    />
  )
}
