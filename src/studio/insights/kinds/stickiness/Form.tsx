'use client'

import { Plus, X } from 'lucide-react'
import { Button } from '#ui/Button'
import { Field } from '#ui/form/Field'
import { Icon } from '#ui/Icon'
import { IconButton } from '#ui/IconButton'
import { NumberInput } from '#ui/form/NumberInput'
import { Switch } from '#ui/form/Switch'
import type { StickinessQuery } from '#insights/kinds/stickiness/schema'
import { type QueryFormProps, FormPart } from '../../form/form-parts'
import { EventMatcherFields } from '../../form/EventMatcherFields'
import { CountedEntityField } from '../../form/CountedEntityField'
import { returnIntervals, PeriodFields } from '../../form/PeriodFields'
import { AudienceFields } from '../../form/AudienceFields'

type Put = (next: Partial<StickinessQuery>) => void

const mostSeries = 10

/** The form of a stickiness query. */
export function StickinessForm({ query, onChange }: QueryFormProps<StickinessQuery>) {
  const put: Put = (next) => onChange({ ...query, ...next })
  return (
    <>
      <Series query={query} put={put} />
      <PeriodFields query={query} onChange={put} intervals={returnIntervals} isIntervalChosen />
      <FormPart title="Aggregation">
        <Field label="Interval length">
          <NumberInput
            value={query.every}
            min={1}
            max={100}
            onChange={(every) => every !== null && put({ every })}
            unit={`${query.interval}s`}
          />
        </Field>
        <Switch
          label={`At least N ${query.interval}s`}
          hint="Instead of exactly N."
          checked={query.cumulative}
          onChange={(cumulative) => put({ cumulative })}
        />
        <CountedEntityField value={query.per} onChange={(per) => put({ per })} />
      </FormPart>
      <AudienceFields query={query} onChange={put} />
    </>
  )
}

function Series({ query: { series }, put }: { query: StickinessQuery; put: Put }) {
  return (
    <FormPart title="Events">
      {series.map((one, place) => (
        <div key={place} className="flex items-start gap-1.5">
          <div className="min-w-0 grow">
            <EventMatcherFields
              label={`Event ${place + 1}`}
              value={one}
              onChange={(next) => put({ series: series.with(place, next) })}
              allowAny
            />
          </div>
          {series.length > 1 && (
            <IconButton
              label={`Remove event ${place + 1}`}
              icon={<Icon of={X} />}
              onClick={() => put({ series: series.toSpliced(place, 1) })}
            />
          )}
        </div>
      ))}
      <div className="flex">
        <Button
          size="sm"
          icon={<Icon of={Plus} />}
          onClick={() => put({ series: [...series, { event: null }] })}
          disabledReason={series.length < mostSeries ? undefined : 'A chart shows at most 10 series.'}
        >
          Add event
        </Button>
      </div>
    </FormPart>
  )
}
