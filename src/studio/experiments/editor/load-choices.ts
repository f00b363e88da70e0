import { membersOf } from '#studio/recipients/project-members'
import { hindrancesOf } from '#studio/recipients/recipients'
import { getProduct } from '#studio/product'
import { type Opened, whyNot } from '#studio/parts/open-project'
import { tryRead } from '#studio/parts/refusals'
import type { OpenExperiment } from '../open-experiment'
import type { RecipientChoices } from '../settings/RecipientsPanel'
import type { ExperimentChoices, SavedMetricChoice, SurveyChoice } from './choices'

const mostVariants = 10

/** Loads the flags, insights, surveys, saved metrics and templates that the form of an experiment offers. */
export async function loadExperimentChoices(opened: Opened): Promise<ExperimentChoices> {
  const { project, viewer } = opened
  const [flags, insights, surveys, savedMetrics] = await Promise.all([
    getProduct().flags.list(project.id, viewer),
    getProduct().experiments.setUp.insightMetrics(project.id, viewer),
    surveyChoices(opened),
    savedMetricChoices(opened),
  ])
  return {
    slug: project.slug,
    flags: flags
      .filter(
        ({ archivedAt, variants }) => !archivedAt && variants.length >= 2 && variants.length <= mostVariants,
      )
      .map(({ key, variants }) => ({ key, variants })),
    insights: insights.done ? insights.metrics : [],
    surveys,
    savedMetrics,
    whyNotSaveMetrics: whyNot('experiments:write', opened.role),
    templates: getProduct()
      .experiments.templates(project.id, viewer)
      .map(({ id, name, description, input }) => ({ id, name, description, ...input })),
  }
}

/** Loads the members that an experiment can notify, and why e-mails do not reach its recipients. */
export async function loadRecipientChoices({
  project,
  viewer,
  experiment,
}: OpenExperiment): Promise<RecipientChoices> {
  const { experiments, alerts } = getProduct()
  const [members, obstacles] = await Promise.all([
    membersOf(project.id, viewer),
    experiments.obstacles(experiment, viewer),
  ])
  const hindrances = hindrancesOf(experiment.recipients, obstacles, members)
  return { members, hindrances, canMail: alerts.canMail }
}

/** Loads the saved metrics of the project, by name. */
export async function savedMetricChoices({ project, viewer }: Opened): Promise<SavedMetricChoice[]> {
  const saved = await getProduct().experiments.metrics.list(project.id, viewer)
  return saved
    .map(({ id, name, description, goal, measured, tags }) => ({
      id,
      name,
      description,
      goal,
      measured,
      tags,
    }))
    .toSorted((one, other) => one.name.localeCompare(other.name))
}

async function surveyChoices({ project, viewer }: Opened): Promise<SurveyChoice[]> {
  const listed = await tryRead(() => getProduct().surveys.list(project.id, viewer))
  if (!listed.allowed) return []
  return listed.found
    .map(({ id, name, content }) => ({
      id,
      name,
      questions: content.questions
        .filter(({ kind }) => kind === 'rating')
        .map((query) => ({ id: query.id, label: query.text })),
    }))
    .filter(({ questions }) => questions.length > 0)
}
