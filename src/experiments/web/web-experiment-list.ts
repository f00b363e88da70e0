import { hash } from 'node:crypto'
import { type Experiment, statusOf } from '../experiment'

/** The fields of an experiment that posthog-js needs. */
export type WebExperimentSource = Pick<
  Experiment,
  'id' | 'name' | 'flag' | 'web' | 'startedAt' | 'endedAt' | 'archivedAt'
>

/** The body of `/api/web_experiments/` for a project without such experiments. */
export const noWebExperiments = '{"experiments":[]}'

/**
 * posthog-js reads the id of a preview link as a number
 * (PostHog/posthog-js, packages/browser/src/web-experiments.ts), and ours are texts.
 */
export const webIdOf = (id: string): number => Number.parseInt(hash('sha1', id).slice(0, 12), 16)

/** Writes the running experiments, and drafts that may be previewed, as posthog-js reads them. */
export const webExperimentsJson = (experiments: readonly WebExperimentSource[]): string =>
  JSON.stringify({ experiments: experiments.flatMap(listed) })

function listed(experiment: WebExperimentSource): object[] {
  const { id, name, flag, web } = experiment
  if (!web) return []
  const entry = { id: webIdOf(id), name }
  const status = statusOf(experiment)
  if (status === 'draft' && web.previewsDraft) return [{ ...entry, variants: forPreviews(web) }]
  if (status !== 'running') return []
  return [{ ...entry, ...(web.assignedBy === 'flag' && { feature_flag_key: flag }), variants: web.variants }]
}

/** posthog-js shows a variant that has neither a flag nor conditions only where a link names it. */
const forPreviews = ({ variants }: NonNullable<Experiment['web']>) =>
  Object.fromEntries(Object.entries(variants).map(([key, { transforms }]) => [key, { transforms }]))
