'use client'

import { useRouter } from 'next/navigation'
import type { Filter } from '#filters/filter'
import { LinkTabs } from '#ui/page/LinkTabs'
import { paths } from '#app/paths'
import { FilterEditor } from '#app/(studio)/filters/FilterEditor'
import { resultPeriods } from './result-periods'

const addresses = { results: paths.surveyResults, responses: paths.surveyResponses }

/** What the results are narrowed to; all of it stands in the address. */
export function ResultsFilters({
  view,
  slug,
  survey,
  period,
  filter,
}: {
  view: keyof typeof addresses
  slug: string
  survey: string
  period: string
  filter: Filter | undefined
}) {
  const router = useRouter()
  const filterText = filter && JSON.stringify(filter)
  return (
    <div className="flex flex-col gap-3">
      <div className="flex">
        <LinkTabs
          label="Period"
          look="segment"
          tabs={resultPeriods.map(({ value, label }) => ({
            label,
            href: addresses[view](slug, survey, { period: value, filter: filterText }),
            current: value === period,
          }))}
        />
      </div>
      <FilterEditor
        value={filter}
        onChange={(next) =>
          router.replace(addresses[view](slug, survey, { period, filter: next && JSON.stringify(next) }))
        }
        projectSlug={slug}
        of={['person', 'event', 'group', 'cohort']}
        label="Conditions on answers"
      />
    </div>
  )
}
