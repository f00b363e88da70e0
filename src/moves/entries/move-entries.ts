import { z } from 'zod'
import { filterFrom } from '#api/posthog/property-filters'
import { PosthogError, type PosthogClient } from '../posthog-client'
import { moveCohorts } from './internal/cohorts'
import { type EntryMove, type EntryRequest, type MovedProduct, theirIdOf } from './internal/entry-move'
import { type EntryKind, entryKinds, type EntryReport } from './entry-report'
import { moveExperiments } from './internal/experiments'
import { moveFlags } from './internal/flags'
import { moveInsights } from './internal/insights'
import { moveSurveys } from './internal/surveys'

const movers: Readonly<Record<EntryKind, (move: EntryMove) => Promise<void>>> = {
  cohorts: moveCohorts,
  flags: moveFlags,
  insights: moveInsights,
  surveys: moveSurveys,
  experiments: (move) =>
    moveExperiments({ ...move, filterOf: (given) => filterFrom(given, move.groupTypes) }),
}

/** Makes here what a project of PostHog's has, as far as it translates, and says what does not. */
export async function moveEntries(product: MovedProduct, request: EntryRequest): Promise<EntryReport> {
  const report: EntryReport = { made: [], there: [], leftOut: [], notes: [] }
  if (request.kinds.length === 0) return report
  const move: EntryMove = {
    ...request,
    product,
    report,
    groupTypes: await groupTypesOf(request.client),
    cohortIds: await knownCohorts(product, request),
  }
  for (const kind of entryKinds.filter((one) => request.kinds.includes(one))) {
    try {
      await movers[kind](move)
    } catch (problem) {
      if (!isAbsent(problem)) throw problem
      report.leftOut.push({ kind, name: '(all)', why: problem.message })
    }
  }
  return report
}

/** A key may lack the right to read one kind, and an older PostHog may not have it. */
const isAbsent = (problem: unknown): problem is PosthogError =>
  problem instanceof PosthogError && (problem.status === 403 || problem.status === 404)

const groupTypes = z.array(z.looseObject({ group_type: z.string(), group_type_index: z.number() }))

async function groupTypesOf(client: PosthogClient): Promise<Record<string, string>> {
  try {
    const read = groupTypes.safeParse(await client.read('groups_types/'))
    return Object.fromEntries((read.data ?? []).map((one) => [String(one.group_type_index), one.group_type]))
  } catch (problem) {
    if (isAbsent(problem)) return {}
    throw problem
  }
}

/** Cohorts of earlier imports, by their numbers in PostHog. */
async function knownCohorts(product: MovedProduct, request: EntryRequest): Promise<Map<string, string>> {
  const known = await product.movedEntries.list(request.project.id, 'cohorts', request.viewer)
  const prefix = theirIdOf(request, { id: '' })
  return new Map(
    [...known].flatMap(([posthogProject, ours]): [string, string][] =>
      posthogProject.startsWith(prefix) ? [[posthogProject.slice(prefix.length), ours]] : [],
    ),
  )
}
