import { type Experiment, experimentStatuses, statusOf } from '#experiments/experiment'
import type { ExperimentsFilter } from '#studio/paths'
import { type SearchParams, textOf } from '#studio/search-params'

/** Ignores invalid values in the address. */
export const experimentsFilterIn = ({ search, status }: SearchParams): ExperimentsFilter => ({
  search: textOf(search)?.slice(0, 200),
  status: experimentStatuses.find((one) => one === status),
})

/** Filters the experiments of a list; without a status, it has all that are not archived. */
export function filterExperiments<
  Listed extends Pick<
    Experiment,
    'name' | 'hypothesis' | 'flag' | 'notes' | 'startedAt' | 'endedAt' | 'archivedAt'
  >,
>(experiments: readonly Listed[], { search, status }: ExperimentsFilter): Listed[] {
  const words = search?.toLowerCase()
  return experiments.filter((experiment) => {
    const known = statusOf(experiment)
    return (
      (status === undefined ? known !== 'archived' : known === status) &&
      (words === undefined || searchableText(experiment).includes(words))
    )
  })
}

const searchableText = ({
  name,
  hypothesis,
  flag,
  notes,
}: Pick<Experiment, 'name' | 'hypothesis' | 'flag' | 'notes'>): string =>
  `${name}\n${hypothesis}\n${flag}\n${notes}`.toLowerCase()
