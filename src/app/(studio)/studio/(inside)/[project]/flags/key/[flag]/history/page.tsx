import type { Metadata } from 'next'
import { getProduct } from '../../../../../../../../product'
import type { Search } from '../../../../people/question'
import { clockOf, FlagFrame } from '../../../FlagFrame'
import { type FlagParams, openFlag, titleOf } from '../../../open-flag'
import { FlagHistory } from './FlagHistory'

interface HistoryPageProps {
  params: FlagParams
  searchParams: Promise<Search>
}

export const generateMetadata = ({ params }: HistoryPageProps): Promise<Metadata> =>
  titleOf(params, 'History')

/** Everything the flag ever was, and what each change changed. */
export default async function HistoryPage({ params, searchParams }: HistoryPageProps) {
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
