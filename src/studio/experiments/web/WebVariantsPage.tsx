import type { Metadata } from 'next'
import { webIdOf } from '#experiments/web/web-experiment-list'
import { Notice } from '#ui/page/Notice'
import { Panel } from '#ui/page/Panel'
import { getProduct } from '#studio/product'
import { type ExperimentParams, openExperiment, titleOf } from '../open-experiment'
import { WebVariantsForm } from './WebVariantsForm'

interface WebPageProps {
  params: ExperimentParams
}

export const generateMetadata = ({ params }: WebPageProps): Promise<Metadata> =>
  titleOf(params, 'Page changes')

/** The changes that posthog-js makes to the team’s own pages. */
export async function WebVariantsPage({ params }: WebPageProps) {
  const { project: slug, experiment: id } = await params
  const { project, viewer, experiment, status, whyNot } = await openExperiment(slug, id)
  const flag = await getProduct().flags.find(project.id, experiment.flag, viewer)
  const reason =
    status === 'running'
      ? 'What visitors see cannot change while the experiment runs. Duplicate it instead.'
      : whyNot
  return (
    <>
      <Notice title="Changes by posthog-js flicker">
        Visitors see the original until posthog-js has the flags. Where Tilth renders the page, a block{' '}
        <code>:::variant</code> in a post has the variant from the start; elsewhere, read the flag in your own
        code. The chapter “Web experiments of posthog-js” of docs/experiments.md says more.
      </Notice>
      <Panel
        title="Page changes"
        description="posthog-js 1.223 and later applies them where it is started with disable_web_experiments: false. The markup runs in your visitors’ pages as you write it."
      >
        <WebVariantsForm
          key={experiment.changedAt.toISOString()}
          slug={slug}
          id={id}
          webId={webIdOf(id)}
          web={experiment.web}
          variants={(flag?.variants ?? []).map(({ key }) => key).filter((key) => key !== 'control')}
          whyNot={reason}
        />
      </Panel>
    </>
  )
}
