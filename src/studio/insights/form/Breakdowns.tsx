'use client'

import { Plus, X } from 'lucide-react'
import { Button } from '#ui/Button'
import { Icon } from '#ui/Icon'
import { IconButton } from '#ui/IconButton'
import { NumberInput } from '#ui/form/NumberInput'
import { Select } from '#ui/form/Select'
import { Field } from '#ui/form/Field'
import type { Breakdown } from '#insights/query-fields'
import { type PropertyReference, usePickers } from './pickers'
import { FormPart, FieldPair } from './form-parts'

interface BreakdownsProps {
  values: readonly Breakdown[]
  onChange: (next: Breakdown[]) => void
  /** The largest number of breakdowns. */
  most: number
  event?: string | null
  /** Whether breakdowns by cohorts are offered; retention has cohorts of its own. */
  hasCohorts?: boolean
  hasBins?: boolean
  limit: number
  onLimit: (limit: number) => void
}

/** The breakdowns of a query, and how many values are shown. */
export function Breakdowns({ values, onChange, most, limit, onLimit, ...rest }: BreakdownsProps) {
  return (
    <FormPart title="Breakdown" hint={values.length === 0 ? 'By a property or by cohorts.' : undefined}>
      {values.map((value, place) => (
        <OneBreakdown
          key={place}
          label={`Breakdown ${place + 1}`}
          value={value}
          onChange={(next) => onChange(next ? values.with(place, next) : values.toSpliced(place, 1))}
          {...rest}
        />
      ))}
      {values.length < most && <Add onAdd={(next) => onChange([...values, next])} {...rest} />}
      {values.length > 0 && (
        <Field label="Limit" hint="Remaining values are grouped as Others.">
          <NumberInput
            value={limit}
            min={1}
            max={100}
            onChange={(next) => next !== null && onLimit(next)}
            unit="values"
          />
        </Field>
      )}
    </FormPart>
  )
}

type OneProps = Pick<BreakdownsProps, 'event' | 'hasCohorts' | 'hasBins'>

function Add({ onAdd, event, hasCohorts = true }: OneProps & { onAdd: (next: Breakdown) => void }) {
  const { Property } = usePickers()
  return (
    <div className="flex gap-1.5">
      <div className="min-w-0 grow">
        <Property
          label="Add breakdown"
          value={undefined}
          onChange={(property) => property && onAdd(breakdownBy(property))}
          of={['event', 'person', 'session', 'group']}
          event={event}
          placeholder="Add property"
        />
      </div>
      {hasCohorts && (
        <Button
          variant="quiet"
          icon={<Icon of={Plus} />}
          onClick={() => onAdd({ type: 'cohort', cohorts: [] })}
        >
          Cohorts
        </Button>
      )}
    </div>
  )
}

function OneBreakdown({
  label,
  value,
  onChange,
  event,
  hasBins = true,
}: OneProps & { label: string; value: Breakdown; onChange: (next: Breakdown | undefined) => void }) {
  const { Property, Cohorts } = usePickers()
  return (
    <div className="flex items-start gap-1.5">
      <div className="flex min-w-0 grow flex-col gap-2">
        {value.type === 'cohort' ? (
          <Cohorts
            label={label}
            values={value.cohorts}
            onChange={(cohorts) => onChange({ type: 'cohort', cohorts })}
          />
        ) : (
          <>
            <Property
              label={label}
              value={value}
              onChange={(property) => onChange(property && breakdownBy(property))}
              of={['event', 'person', 'session', 'group']}
              event={event}
              required
            />
            {hasBins && <Bins value={value} onChange={onChange} />}
          </>
        )}
      </div>
      <IconButton
        label={`Remove ${label.toLowerCase()}`}
        icon={<Icon of={X} />}
        onClick={() => onChange(undefined)}
      />
    </div>
  )
}

type ByProperty = Exclude<Breakdown, { type: 'cohort' }>

function Bins({ value, onChange }: { value: ByProperty; onChange: (next: Breakdown) => void }) {
  return (
    <FieldPair>
      <Select
        aria-label="Values or ranges"
        options={[
          { value: 'values', label: 'Each value' },
          { value: 'ranges', label: 'Numeric ranges' },
        ]}
        value={value.bins === undefined ? 'values' : 'ranges'}
        onChange={(as) => onChange({ ...value, bins: as === 'ranges' ? 10 : undefined })}
      />
      {value.bins !== undefined && (
        <NumberInput
          aria-label="Number of ranges"
          value={value.bins}
          min={2}
          max={50}
          onChange={(bins) => bins !== null && onChange({ ...value, bins })}
          unit="ranges"
        />
      )}
    </FieldPair>
  )
}

function breakdownBy({ type, key, group }: PropertyReference): Breakdown {
  return type === 'group' ? { type, key, group: group ?? '' } : { type, key }
}
