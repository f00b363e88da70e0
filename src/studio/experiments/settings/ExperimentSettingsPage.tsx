import type { Metadata } from 'next'
import { mainEnvironment } from '#flags/flag'
import { getProduct } from '#studio/product'
import { loadExperimentChoices, loadRecipientChoices } from '../editor/load-choices'
import { type ExperimentParams, openExperiment, titleOf } from '../open-experiment'
import { ExperimentSettings } from './ExperimentSettings'

interface ExperimentSettingsPageProps {
  params: ExperimentParams
}

export const generateMetadata = ({ params }: ExperimentSettingsPageProps): Promise<Metadata> =>
  titleOf(params, 'Settings')

/** An experiment as it is set up and started. */
export async function ExperimentSettingsPage({ params }: ExperimentSettingsPageProps) {
  const { project: slug, experiment: id } = await params
  const opened = await openExperiment(slug, id)
  const { project, viewer, experiment, whyNot } = opened
  const [flag, choices, recipientChoices] = await Promise.all([
    getProduct().flags.find(project.id, experiment.flag, viewer),
    loadExperimentChoices(opened),
    loadRecipientChoices(opened),
  ])
  return (
    <ExperimentSettings
      experiment={experiment}
      choices={choices}
      recipientChoices={recipientChoices}
      flag={flag && { variants: flag.variants, isOn: flag.environments[mainEnvironment]?.isOn ?? false }}
      whyNot={whyNot}
    />
  )
}
