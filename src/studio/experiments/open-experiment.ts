import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { cache } from 'react'
import { type Experiment, statusOf } from '#experiments/experiment'
import type { Flag } from '#flags/flag'
import { servedColours, type VariantColours } from '#studio/flags/variant-colour'
import { getProduct } from '#studio/product'
import { type Opened, openProject, whyNot } from '#studio/parts/open-project'

export type ExperimentParams = Promise<{ project: string; experiment: string }>

export interface OpenExperiment extends Opened {
  experiment: Experiment
  /** The flag whose variants are compared; undefined once it is removed. */
  flag: Flag | undefined
  colourOf: VariantColours
  status: ReturnType<typeof statusOf>
  /** Why it cannot be changed by this viewer, or at all. */
  whyNot: string | undefined
}

/** Finds the experiment of an address. Cached per request: layout and page both call it. */
export const openExperiment = cache(async (slug: string, id: string): Promise<OpenExperiment> => {
  const opened = await openProject(slug)
  const experiment = await getProduct().experiments.find(opened.project.id, id, opened.viewer)
  if (!experiment) notFound()
  const flag = await getProduct().flags.find(opened.project.id, experiment.flag, opened.viewer)
  const reason = whyNot('experiments:write', opened.role)
  return {
    ...opened,
    experiment,
    flag,
    colourOf: servedColours(flag ?? { variants: [] }),
    status: statusOf(experiment),
    whyNot: experiment.archivedAt ? 'The experiment is archived. Restore it first.' : reason,
  }
})

export async function titleOf(params: ExperimentParams, view?: string): Promise<Metadata> {
  const { project, experiment } = await params
  const { name } = (await openExperiment(project, experiment)).experiment
  return { title: view === undefined ? name : `${view} · ${name}` }
}
