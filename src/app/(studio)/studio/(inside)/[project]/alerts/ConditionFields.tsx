'use client'

import type { AlertCondition } from '#alerts/condition'
import { type AlertInterval, alertIntervals } from '#alerts/alert-words'
import { NumberInput } from '#ui/form/NumberInput'
import { Select } from '#ui/form/Select'
import { FieldPair, FormPart } from './FormPart'

interface ConditionFieldsProps<Of extends AlertCondition> {
  value: Of
  onChange: (next: AlertCondition) => void
}

const sorts = [
  { value: 'threshold', label: 'It is above or below a number' },
  { value: 'relative', label: 'It changes' },
  { value: 'absence', label: 'It does not happen at all' },
] as const

const beginnings: Record<AlertCondition['type'], AlertCondition> = {
  threshold: { type: 'threshold', is: 'below', value: 100, interval: 'day', of: 'complete' },
  relative: { type: 'relative', does: 'fall', by: 30, as: 'percent', against: 'previous', interval: 'day' },
  absence: { type: 'absence', minutes: 60 },
}

/** The condition that triggers a message. */
export function ConditionFields({
  value,
  onChange,
  mayBeAbsent,
}: ConditionFieldsProps<AlertCondition> & { mayBeAbsent: boolean }) {
  return (
    <FormPart title="When">
      <Select
        aria-label="Condition"
        options={sorts.filter((sort) => mayBeAbsent || sort.value !== 'absence')}
        value={value.type}
        onChange={(type) => onChange(beginnings[type])}
      />
      {value.type === 'threshold' && <ThresholdFields value={value} onChange={onChange} />}
      {value.type === 'relative' && <RelativeFields value={value} onChange={onChange} />}
      {value.type === 'absence' && <AbsenceFields value={value} onChange={onChange} />}
    </FormPart>
  )
}

const sides = [
  { value: 'above', label: 'Above' },
  { value: 'below', label: 'Below' },
] as const

const parts = [
  { value: 'complete', label: 'That is over' },
  { value: 'running', label: 'That it is now' },
] as const

const intervalOptions = alertIntervals.map((value) => ({ value, label: `Of the ${value}` }))

function ThresholdFields({
  value,
  onChange,
}: ConditionFieldsProps<Extract<AlertCondition, { type: 'threshold' }>>) {
  return (
    <>
      <FieldPair>
        <Select
          aria-label="Side"
          options={sides}
          value={value.is}
          onChange={(is) => onChange({ ...value, is })}
        />
        <NumberInput
          aria-label="Threshold"
          value={value.value}
          onChange={(number) => onChange({ ...value, value: number ?? 0 })}
        />
      </FieldPair>
      <FieldPair>
        <IntervalSelect value={value.interval} onChange={(interval) => onChange({ ...value, interval })} />
        <Select
          aria-label="Which one"
          options={parts}
          value={value.of}
          onChange={(of) => onChange({ ...value, of })}
        />
      </FieldPair>
    </>
  )
}

const directions = [
  { value: 'fall', label: 'Falls by more than' },
  { value: 'rise', label: 'Rises by more than' },
  { value: 'change', label: 'Rises or falls by more than' },
] as const

const sizes = [
  { value: 'percent', label: 'Percent' },
  { value: 'amount', label: 'In number' },
] as const

const comparisons = [
  { value: 'previous', label: 'Against the one before' },
  { value: 'week-before', label: 'Against the same one a week before' },
] as const

function RelativeFields({
  value,
  onChange,
}: ConditionFieldsProps<Extract<AlertCondition, { type: 'relative' }>>) {
  return (
    <>
      <Select
        aria-label="Direction"
        options={directions}
        value={value.does}
        onChange={(does) => onChange({ ...value, does })}
      />
      <FieldPair>
        <NumberInput
          aria-label="By how much"
          min={0}
          value={value.by}
          onChange={(by) => onChange({ ...value, by: by ?? 0 })}
        />
        <Select
          aria-label="Counted in"
          options={sizes}
          value={value.as}
          onChange={(as) => onChange({ ...value, as })}
        />
      </FieldPair>
      <IntervalSelect
        value={value.interval}
        onChange={(interval) =>
          onChange({ ...value, interval, against: interval === 'month' ? 'previous' : value.against })
        }
      />
      <Select
        aria-label="Against what"
        options={comparisons.filter((one) => value.interval !== 'month' || one.value === 'previous')}
        value={value.against}
        onChange={(against) => onChange({ ...value, against })}
      />
    </>
  )
}

function AbsenceFields({
  value,
  onChange,
}: ConditionFieldsProps<Extract<AlertCondition, { type: 'absence' }>>) {
  return (
    <NumberInput
      aria-label="For how long"
      unit="minutes"
      min={5}
      max={44_640}
      value={value.minutes}
      onChange={(minutes) => onChange({ ...value, minutes: minutes ?? 60 })}
    />
  )
}

const IntervalSelect = ({
  value,
  onChange,
}: {
  value: AlertInterval
  onChange: (next: AlertInterval) => void
}) => <Select aria-label="Interval" options={intervalOptions} value={value} onChange={onChange} />
