import { mainEnvironment } from '#flags/flag'
import { getProduct } from '#studio/product'
import type { OpenExperiment } from '../open-experiment'
import { StartExperiment } from './StartExperiment'

/** Starts a draft, also from pages other than its settings. */
export async function DraftNotice({ opened }: { opened: OpenExperiment }) {
  const { project, viewer, experiment, status, whyNot } = opened
  if (status !== 'draft') return null
  const flag = await getProduct().flags.find(project.id, experiment.flag, viewer)
  return (
    <StartExperiment
      slug={project.slug}
      experiment={experiment}
      isFlagOn={flag?.environments[mainEnvironment]?.isOn ?? false}
      whyNot={whyNot}
    />
  )
}
