import type { Metadata } from 'next'
import { getProduct } from '#studio/product'
import type { SearchParams } from '#studio/search-params'
import { FlagFrame } from '../FlagFrame'
import { type FlagParams, openFlag, titleOf } from '../open-flag'
import { FlagHistory } from './FlagHistory'
import { clockOf } from '#studio/parts/RelativeTime'

interface FlagHistoryPageProps {
  params: FlagParams
  searchParams: Promise<SearchParams>
}

export const generateMetadata = ({ params }: FlagHistoryPageProps): Promise<Metadata> =>
  titleOf(params, 'History')

/** The history of a flag, with the changes of each version. */
export async function FlagHistoryPage({ params, searchParams }: FlagHistoryPageProps) {
  const opened = await openFlag(params, await searchParams)
  const { project, viewer, flag, whyNot } = opened
  const { flags } = getProduct()
  const { cohorts } = getProduct().people

  return (
    <FlagFrame {...opened} view="history">
      <FlagHistory
        slug={project.slug}
        flagKey={flag.key}
        versions={await flags.history(project.id, flag.key, viewer)}
        cohorts={await cohorts.names(project.id, viewer)}
        clock={clockOf(project)}
        whyNot={whyNot}
      />
    </FlagFrame>
  )
}
