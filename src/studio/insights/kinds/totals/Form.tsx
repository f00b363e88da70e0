'use client'

import type { TotalsQuery } from '#insights/kinds/totals/schema'
import type { QueryFormProps } from '../../form/form-parts'
import { GoalFields } from '../../form/GoalFields'
import { everyInterval, PeriodFields } from '../../form/PeriodFields'
import { AudienceFields } from '../../form/AudienceFields'

/** The form of a totals query. */
export function TotalsForm({ query, onChange }: QueryFormProps<TotalsQuery>) {
  const put = (next: Partial<TotalsQuery>) => onChange({ ...query, ...next })
  return (
    <>
      <PeriodFields query={query} onChange={put} intervals={everyInterval} />
      <GoalFields value={query.goal} onChange={(goal) => put({ goal })} />
      <AudienceFields query={query} onChange={put} />
    </>
  )
}
