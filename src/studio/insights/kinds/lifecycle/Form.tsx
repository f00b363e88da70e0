'use client'

import type { LifecycleQuery } from '#insights/kinds/lifecycle/schema'
import { type QueryFormProps, FormPart } from '../../form/form-parts'
import { EventMatcherFields } from '../../form/EventMatcherFields'
import { returnIntervals, PeriodFields } from '../../form/PeriodFields'
import { AudienceFields } from '../../form/AudienceFields'

/** The form of a lifecycle query. */
export function LifecycleForm({ query, onChange }: QueryFormProps<LifecycleQuery>) {
  const put = (next: Partial<LifecycleQuery>) => onChange({ ...query, ...next })
  return (
    <>
      <FormPart title="Activity" hint="A person is new at the first of these events.">
        <EventMatcherFields
          label="Activity event"
          value={query.happening}
          onChange={(matcher) => put({ happening: matcher })}
          allowAny
        />
      </FormPart>
      <PeriodFields
        query={query}
        onChange={put}
        intervals={returnIntervals}
        isIntervalChosen
        hasCompare={false}
      />
      <AudienceFields query={query} onChange={put} />
    </>
  )
}
