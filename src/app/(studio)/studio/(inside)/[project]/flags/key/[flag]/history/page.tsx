import type { Metadata } from 'next'
import { getProduct } from '#app/product'
import type { PeopleSearchParams } from '#app/(studio)/studio/(inside)/[project]/people/question'
import { clockOf, FlagFrame } from '#app/(studio)/studio/(inside)/[project]/flags/FlagFrame'
import { type FlagParams, openFlag, titleOf } from '#app/(studio)/studio/(inside)/[project]/flags/open-flag'
import { FlagHistory } from './FlagHistory'

interface FlagHistoryPageProps {
  params: FlagParams
  searchParams: Promise<PeopleSearchParams>
}

export const generateMetadata = ({ params }: FlagHistoryPageProps): Promise<Metadata> =>
  titleOf(params, 'History')

/** Everything the flag ever was, and what each change changed. */
export default async function HistoryPage({ params, searchParams }: FlagHistoryPageProps) {
  const opened = await openFlag(params, await searchParams)
  const { project, viewer, flag, whyNot } = opened
  const { flags, cohorts } = getProduct()

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
