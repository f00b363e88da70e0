import { courseTable, resultTable } from '#experiments/results/result-tables'
import { csvOf } from '#insights/csv'
import type { Outcome } from '#projects/problems'
import { type OpenExperiment, openExperiment } from '../open-experiment'
import { fileResponse, textResponse } from '#studio/parts/file-response'
import { tryEngine } from '#studio/parts/refusals'
import { getProduct } from '#studio/product'

interface ExperimentFileRequest {
  params: Promise<{ project: string; experiment: string; file: string; format: string }>
}

/** A file in both formats. Both are of the answer that the page shows. */
type ExperimentFile = Outcome<{ csv: () => string; json: () => object }>

const files: Readonly<Record<'results' | 'course', (opened: OpenExperiment) => Promise<ExperimentFile>>> = {
  results: async ({ project, viewer, experiment }) => {
    const outcome = await getProduct().experiments.results.result(project.id, experiment.id, viewer)
    if (!outcome.done) return outcome
    const { tookMs: _tookMs, ...result } = outcome.result
    return { done: true, csv: () => csvOf(resultTable(result)), json: () => result }
  },
  course: async ({ project, viewer, experiment }) => {
    const outcome = await getProduct().experiments.results.course(project.id, experiment.id, viewer)
    if (!outcome.done) return outcome
    const { course, state } = outcome
    const { tookMs: _tookMs, ...age } = state
    return {
      done: true,
      csv: () => csvOf(courseTable({ course, at: state.at })),
      json: () => ({ course, ...age }),
    }
  },
}

/** The results of an experiment or their course, as a file. */
export async function GET(_request: Request, { params }: ExperimentFileRequest): Promise<Response> {
  const { project: slug, experiment: id, file: named, format: wanted } = await params
  const file = (['results', 'course'] as const).find((one) => one === named)
  const format = (['csv', 'json'] as const).find((one) => one === wanted)
  if (!file || !format) return textResponse(404, 'There is nothing here.')
  const opened = await openExperiment(slug, id)
  const made = await tryEngine(() => files[file](opened))
  if (!made.done)
    return textResponse(made.isTrouble ? 503 : 422, made.problems.map(({ message }) => message).join(' '))
  const text = format === 'csv' ? made.csv() : JSON.stringify(made.json(), null, 2)
  return fileResponse({ name: `${opened.experiment.name} ${file}`, format, text })
}
