import type { Filter } from '#filters/filter'
import { flagNamed } from '#flags/store'
import type { InputProblem } from '#projects/problems'
import type { TableSource } from '#store/store'
import type { SurveyTargeting } from '../survey'

/** A sentence for each cohort, flag and variant that the conditions name and the project does not have. */
export async function unknownReferences(
  store: TableSource,
  projectId: number,
  { flag, person }: SurveyTargeting,
  cohorts: ReadonlySet<string>,
): Promise<InputProblem[]> {
  const unknown = person ? cohortsIn(person).filter((id) => !cohorts.has(id)) : []
  return [
    ...(flag ? await flagProblems(store, projectId, flag) : []),
    ...[...new Set(unknown)].map((id) => ({
      field: 'targeting.person',
      message: `A condition asks for the cohort “${id}”, which this project does not have.`,
    })),
  ]
}

async function flagProblems(
  store: TableSource,
  projectId: number,
  { key, variant }: NonNullable<SurveyTargeting['flag']>,
): Promise<InputProblem[]> {
  const found = await flagNamed(store, projectId, key)
  if (!found || found.archivedAt) {
    const message = `A condition asks about the flag “${key}”, which this project does not have.`
    return [{ field: 'targeting.flag', message }]
  }
  const isKnown = variant === undefined || found.variants.some((one) => one.key === variant)
  const message = `A condition asks whether “${key}” gives “${variant}”, which it never does.`
  return isKnown ? [] : [{ field: 'targeting.flag', message }]
}

function cohortsIn(filter: Filter): string[] {
  if ('all' in filter) return filter.all.flatMap(cohortsIn)
  if ('any' in filter) return filter.any.flatMap(cohortsIn)
  return filter.type === 'cohort' ? [filter.cohort] : []
}
