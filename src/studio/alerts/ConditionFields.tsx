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
  { value: 'threshold', label: 'Is above or below' },
  { value: 'relative', label: 'Changes by' },
  { value: 'absence', label: 'Has no events' },
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
    <FormPart title="Condition">
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
  { value: 'complete', label: 'Last complete interval' },
  { value: 'running', label: 'Current interval' },
] as const

const intervalOptions = alertIntervals.map((value) => ({ value, label: `Per ${value}` }))

function ThresholdFields({
  value,
  onChange,
}: ConditionFieldsProps<Extract<AlertCondition, { type: 'threshold' }>>) {
  return (
    <>
      <FieldPair>
        <Select
          aria-label="Above or below"
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
          aria-label="Evaluated interval"
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
  { value: 'amount', label: 'Absolute' },
] as const

const comparisons = [
  { value: 'previous', label: 'Previous interval' },
  { value: 'week-before', label: 'Same interval last week' },
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
          aria-label="Change"
          min={0}
          value={value.by}
          onChange={(by) => onChange({ ...value, by: by ?? 0 })}
        />
        <Select
          aria-label="Unit"
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
        aria-label="Compared with"
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
      aria-label="Minutes without events"
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
