'use client'

import { Plus, X } from 'lucide-react'
import { type FormProps, Part } from '../../asking/form'
import { HappeningFields } from '../../asking/HappeningFields'
import { Per } from '../../asking/Per'
import { returnIntervals, When } from '../../asking/When'
import { Who } from '../../asking/Who'
import { Button } from '../../../ui/Button'
import { Field } from '../../../ui/Field'
import { Icon } from '../../../ui/Icon'
import { IconButton } from '../../../ui/IconButton'
import { NumberInput } from '../../../ui/NumberInput'
import { Switch } from '../../../ui/Switch'
import type { StickinessQuestion } from './question'

type Put = (next: Partial<StickinessQuestion>) => void

const mostSeries = 10

/** Asks on how many days people do it. */
export function StickinessForm({ question, onChange }: FormProps<StickinessQuestion>) {
  const put: Put = (next) => onChange({ ...question, ...next })
  return (
    <>
      <Series question={question} put={put} />
      <When question={question} onChange={put} intervals={returnIntervals} isIntervalChosen />
      <Part title="Counts">
        <Field label="Put together">
          <NumberInput
            value={question.every}
            min={1}
            max={100}
            onChange={(every) => every !== null && put({ every })}
            unit={`${question.interval}s as one`}
          />
        </Field>
        <Switch
          label="In at least so many"
          hint="In place of exactly so many."
          checked={question.cumulative}
          onChange={(cumulative) => put({ cumulative })}
        />
        <Per value={question.per} onChange={(per) => put({ per })} />
      </Part>
      <Who question={question} onChange={put} />
    </>
  )
}

function Series({ question: { series }, put }: { question: StickinessQuestion; put: Put }) {
  return (
    <Part title="Doing">
      {series.map((one, place) => (
        <div key={place} className="flex items-start gap-1.5">
          <div className="min-w-0 grow">
            <HappeningFields
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
          disabledReason={series.length < mostSeries ? undefined : 'A chart shows 10 series at most.'}
        >
          Add an event
        </Button>
      </div>
    </Part>
  )
}
