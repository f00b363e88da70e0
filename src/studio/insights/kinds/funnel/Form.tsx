'use client'

import { Field } from '#ui/form/Field'
import { Select } from '#ui/form/Select'
import { SegmentedControl } from '#ui/form/SegmentedControl'
import type { FunnelQuery } from '#insights/kinds/funnel/schema'
import { Breakdowns } from '../../form/Breakdowns'
import { type QueryFormProps, FieldPair, FormPart } from '../../form/form-parts'
import { FunnelSteps } from '../../form/FunnelSteps'
import { everyInterval, PeriodFields } from '../../form/PeriodFields'
import { AudienceFields } from '../../form/AudienceFields'
import { usePickers } from '../../form/pickers'

const views = [
  { value: 'steps', label: 'Steps' },
  { value: 'trend', label: 'Over time' },
  { value: 'time', label: 'Time to convert' },
] as const

type Put = (next: Partial<FunnelQuery>) => void

/** The form of a funnel query. */
export function FunnelForm({ query, onChange }: QueryFormProps<FunnelQuery>) {
  const put: Put = (next) => onChange({ ...query, ...next })
  const { breakdown, view } = query

  return (
    <>
      <FunnelSteps shape={query} put={put} />
      <FormPart title="View as">
        <SegmentedControl
          label="View"
          options={views}
          value={view}
          onChange={(next) => put({ view: next })}
        />
        <PerFields query={query} put={put} />
        {view === 'time' && <Between query={query} put={put} />}
      </FormPart>
      <Breakdowns
        values={breakdown ? [breakdown] : []}
        onChange={([next]) => put({ breakdown: next })}
        most={1}
        event={query.steps[0]?.event}
        limit={query.limit}
        onLimit={(limit) => put({ limit })}
      />
      {breakdown && <Attribution query={query} put={put} />}
      <PeriodFields query={query} onChange={put} intervals={view === 'trend' ? everyInterval : []} />
      <AudienceFields query={query} onChange={put} />
    </>
  )
}

const counts = [
  { value: 'person', label: 'People' },
  { value: 'session', label: 'Sessions' },
  { value: 'group', label: 'Groups' },
]

function PerFields({ query: { per }, put }: { query: FunnelQuery; put: Put }) {
  const { GroupType } = usePickers()
  const chosen = typeof per === 'string' ? per : 'group'
  const choose = (next: string) =>
    put({ per: next === 'group' ? { group: '' } : next === 'session' ? 'session' : 'person' })

  return (
    <FieldPair>
      <Field label="Count by">
        <Select options={counts} value={chosen} onChange={choose} />
      </Field>
      {typeof per === 'object' && (
        <GroupType
          label="Group type"
          value={per.group || undefined}
          onChange={(group) => put({ per: { group } })}
        />
      )}
    </FieldPair>
  )
}

function placesOf({ steps }: FunnelQuery) {
  return steps.map((_, place) => ({ value: String(place), label: `Step ${place + 1}` }))
}

function Between({ query, put }: { query: FunnelQuery; put: Put }) {
  const places = placesOf(query)
  const { from, to } = query.between ?? { from: 0, to: query.steps.length - 1 }
  return (
    <FieldPair>
      <Select
        aria-label="From step"
        lead="From"
        options={places.slice(0, -1)}
        value={String(from)}
        onChange={(next) => put({ between: { from: Number(next), to } })}
      />
      <Select
        aria-label="To step"
        lead="To"
        options={places.slice(1)}
        value={String(to)}
        onChange={(next) => put({ between: { from, to: Number(next) } })}
      />
    </FieldPair>
  )
}

function Attribution({ query, put }: { query: FunnelQuery; put: Put }) {
  const { attribution } = query
  const chosen = typeof attribution === 'object' ? String(attribution.step) : attribution
  function choose(next: string) {
    if (next === 'first' || next === 'last' || next === 'all steps') put({ attribution: next })
    else put({ attribution: { step: Number(next) } })
  }
  return (
    <Field label="Attribution" hint="The step whose value a person is counted under.">
      <Select
        options={[
          { value: 'first', label: 'First step' },
          { value: 'last', label: 'Last step' },
          { value: 'all steps', label: 'All steps' },
          ...placesOf(query).map(({ value, label }) => ({
            value,
            label,
          })),
        ]}
        value={chosen}
        onChange={choose}
      />
    </Field>
  )
}
