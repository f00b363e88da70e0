'use client'

import { Field } from '#ui/form/Field'
import { Select } from '#ui/form/Select'
import { Switch } from '#ui/form/Switch'
import type { BaseQuery } from '#insights/scope'
import type { Traffic } from '#insights/compile/event-range'
import { usePickers } from './pickers'
import { FormPart } from './form-parts'

const trafficLabels: Record<Traffic, string> = {
  human: 'People',
  ai: 'AI crawlers and assistants',
  bot: 'Other bots',
  feed: 'Feed readers',
  all: 'All traffic',
}
const traffics = Object.entries(trafficLabels).map(([value, label]) => ({ value, label }))
const isTraffic = (value: string): value is Traffic => Object.hasOwn(trafficLabels, value)

/** The filter and traffic of a query. */
export function AudienceFields({
  query: { filter, traffic, withoutTestAccounts },
  onChange,
}: {
  query: Omit<BaseQuery, 'period'>
  onChange: (next: Partial<Omit<BaseQuery, 'period'>>) => void
}) {
  const { Filter } = usePickers()
  return (
    <FormPart title="Filters" hint="Apply to every event of this insight.">
      <Filter label="Insight filters" value={filter} onChange={(next) => onChange({ filter: next })} />
      <Field label="Traffic">
        <Select
          options={traffics}
          value={traffic}
          onChange={(next) => isTraffic(next) && onChange({ traffic: next })}
        />
      </Field>
      <Switch
        label="Filter out internal and test users"
        hint="Internal users are defined in Settings."
        checked={withoutTestAccounts}
        onChange={(next) => onChange({ withoutTestAccounts: next })}
      />
    </FormPart>
  )
}
