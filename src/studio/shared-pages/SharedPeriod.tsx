'use client'

import { PeriodPicker } from '#studio/insights/form/PeriodPicker'
import { Spinner } from '#ui/Spinner'
import { useAddress } from '#studio/parts/use-address'

/** Another period for the same queries, where the owner allows that. */
export function SharedPeriod({ period }: { period: string }) {
  const { ask, isPending } = useAddress()
  return (
    <span className="flex items-center gap-2">
      {isPending && <Spinner size="sm" />}
      <PeriodPicker
        isOfPage
        value={period || 'Default date range'}
        onChange={(next) => ask({ period: next })}
      />
    </span>
  )
}
