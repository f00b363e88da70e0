'use client'

import type { SubscriberState } from '#letters/subscribers/subscriber'
import { useAddressParameters } from '#ui/navigation/Navigation'
import { LinkTabs } from '#ui/page/LinkTabs'
import { paths, type SubscribersFilter } from '#studio/paths'
import { SearchBox } from '#studio/parts/SearchBox'
import { subscriberStateLabels } from './SubscribersTable'

interface SubscriberFiltersProps {
  slug: string
  list: string
  filter: SubscribersFilter
  counts: Readonly<Record<SubscriberState, number>>
}

const states = ['confirmed', 'pending', 'unsubscribed', 'bounced', 'complained', 'erased'] as const

export function SubscriberFilters({ slug, list, filter: answered, counts }: SubscriberFiltersProps) {
  const addressOf = (next: SubscribersFilter) => paths.subscribers(slug, list, next)
  const [filter, ask] = useAddressParameters(answered, addressOf)
  const { state, search } = filter
  return (
    <search className="flex flex-wrap items-center gap-2">
      <div className="max-w-full overflow-x-auto [scrollbar-width:none]">
        <LinkTabs
          label="State"
          look="segment"
          tabs={[
            { label: 'All', href: addressOf({ search }), current: state === undefined },
            ...states
              .filter((one) => counts[one] > 0 || one === state)
              .map((one) => ({
                label: subscriberStateLabels[one],
                href: addressOf({ search, state: one }),
                current: state === one,
                count: counts[one],
              })),
          ]}
        />
      </div>
      <div className="w-full sm:w-60">
        <SearchBox
          label="Find a subscriber"
          placeholder="Search by address"
          value={search ?? ''}
          onSearch={(next) => ask({ search: next || undefined })}
        />
      </div>
    </search>
  )
}
