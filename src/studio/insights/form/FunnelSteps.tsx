'use client'

import { Plus, X } from 'lucide-react'
import { Button } from '#ui/Button'
import { Checkbox } from '#ui/form/Checkbox'
import { Field } from '#ui/form/Field'
import { Icon } from '#ui/Icon'
import { IconButton } from '#ui/IconButton'
import { NumberInput } from '#ui/form/NumberInput'
import { Select } from '#ui/form/Select'
import type { FunnelExclusion, FunnelQuery, FunnelShape, FunnelStep } from '#insights/kinds/funnel/schema'
import { FieldPair, FormPart } from './form-parts'
import { EventMatcherFields } from './EventMatcherFields'
import { Reorderable } from './Reorderable'

type Put = (next: Partial<FunnelShape>) => void

const orderLabels: Record<FunnelQuery['order'], string> = {
  ordered: 'Sequential',
  strict: 'Strict order',
  unordered: 'Any order',
}
const orders = Object.entries(orderLabels).map(([value, label]) => ({ value, label }))
const isOrder = (value: string): value is FunnelQuery['order'] => Object.hasOwn(orderLabels, value)

type Unit = FunnelQuery['window']['unit']
const unitLabels: Record<Unit, string> = {
  second: 'seconds',
  minute: 'minutes',
  hour: 'hours',
  day: 'days',
  week: 'weeks',
  month: 'months',
}
const units = Object.entries(unitLabels).map(([value, label]) => ({ value, label }))
const isUnit = (value: string): value is Unit => Object.hasOwn(unitLabels, value)

const mostSteps = 20

/** The steps of a funnel, their order and the window. */
export function FunnelSteps({ shape, put }: { shape: FunnelShape; put: Put }) {
  return (
    <>
      <Steps shape={shape} put={put} />
      <FormPart title="Order and window">
        <Field label="Step order">
          <Select
            options={orders}
            value={shape.order}
            onChange={(order) => isOrder(order) && put({ order })}
          />
        </Field>
        <Window shape={shape} put={put} />
      </FormPart>
      <Exclusions shape={shape} put={put} />
    </>
  )
}

function Steps({ shape: { steps, order }, put }: { shape: FunnelShape; put: Put }) {
  const label = (place: number) => `Step ${place + 1}`
  const change = (place: number, next: FunnelStep) => put({ steps: steps.with(place, next) })
  return (
    <FormPart title="Steps">
      <Reorderable
        rows={steps}
        onChange={(next) => put({ steps: next })}
        keyOf={(_, place) => String(place)}
        labelOf={(place) => label(place).toLowerCase()}
      >
        {(step, place) => (
          <div className="flex items-start gap-1">
            <div className="flex min-w-0 grow flex-col gap-2">
              <EventMatcherFields
                label={label(place)}
                value={step}
                onChange={(next) => change(place, next)}
                allowAny
              />
              {order === 'ordered' && place > 0 && place < steps.length - 1 && (
                <Checkbox
                  label="Optional step"
                  checked={step.optional}
                  onChange={(optional) => change(place, { ...step, optional })}
                />
              )}
            </div>
            <IconButton
              label={`Remove ${label(place).toLowerCase()}`}
              icon={<Icon of={X} />}
              size="sm"
              onClick={() => put({ steps: steps.toSpliced(place, 1) })}
              disabledReason={steps.length > 2 ? undefined : 'A funnel has at least two steps.'}
            />
          </div>
        )}
      </Reorderable>
      <div className="flex">
        <Button
          size="sm"
          icon={<Icon of={Plus} />}
          onClick={() => put({ steps: [...steps, { event: null, optional: false }] })}
          disabledReason={steps.length < mostSteps ? undefined : `A funnel has at most ${mostSteps} steps.`}
        >
          Add step
        </Button>
      </div>
    </FormPart>
  )
}

function Window({ shape: { window: within }, put }: { shape: FunnelShape; put: Put }) {
  return (
    <FieldPair>
      <Field label="Conversion window">
        <NumberInput
          value={within.amount}
          min={1}
          onChange={(amount) => amount !== null && put({ window: { ...within, amount } })}
        />
      </Field>
      <Select
        aria-label="Conversion window unit"
        options={units}
        value={within.unit}
        onChange={(unit) => isUnit(unit) && put({ window: { ...within, unit } })}
      />
    </FieldPair>
  )
}

function Exclusions({ shape: { exclusions, steps, order }, put }: { shape: FunnelShape; put: Put }) {
  const add = () => put({ exclusions: [...exclusions, { event: null, from: 0, to: steps.length - 1 }] })
  return (
    <FormPart title="Exclusions" hint="People who do this between two steps do not convert.">
      {exclusions.map((exclusion, place) => (
        <Exclusion
          key={place}
          label={`Exclusion ${place + 1}`}
          value={exclusion}
          steps={steps.length}
          onChange={(next) =>
            put({ exclusions: next ? exclusions.with(place, next) : exclusions.toSpliced(place, 1) })
          }
        />
      ))}
      <div className="flex">
        <Button
          size="sm"
          variant="quiet"
          icon={<Icon of={Plus} />}
          onClick={add}
          disabledReason={order === 'strict' ? 'Strict order excludes every other event already.' : undefined}
        >
          Add exclusion
        </Button>
      </div>
    </FormPart>
  )
}

function Exclusion({
  label,
  value,
  steps,
  onChange,
}: {
  label: string
  value: FunnelExclusion
  steps: number
  onChange: (next: FunnelExclusion | undefined) => void
}) {
  const places = Array.from({ length: steps }, (_, place) => ({
    value: String(place),
    label: `Step ${place + 1}`,
  }))
  return (
    <div className="flex items-start gap-1.5">
      <div className="flex min-w-0 grow flex-col gap-2">
        <EventMatcherFields label={label} value={value} onChange={onChange} />
        <FieldPair>
          <Select
            aria-label={`${label}: from`}
            lead="From"
            options={places.slice(0, -1)}
            value={String(value.from)}
            onChange={(from) => onChange({ ...value, from: Number(from) })}
          />
          <Select
            aria-label={`${label}: to`}
            lead="To"
            options={places.slice(1)}
            value={String(value.to)}
            onChange={(to) => onChange({ ...value, to: Number(to) })}
          />
        </FieldPair>
      </div>
      <IconButton
        label={`Remove ${label.toLowerCase()}`}
        icon={<Icon of={X} />}
        onClick={() => onChange(undefined)}
      />
    </div>
  )
}
