'use client'

import { Plus, X } from 'lucide-react'
import { Button } from '#ui/Button'
import { Checkbox } from '#ui/form/Checkbox'
import { Combobox } from '#ui/form/Combobox'
import { Field } from '#ui/form/Field'
import { Icon } from '#ui/Icon'
import { IconButton } from '#ui/IconButton'
import { NumberInput } from '#ui/form/NumberInput'
import { Select } from '#ui/form/Select'
import { useEventSuggestions } from '#studio/filters/use-suggestions'
import { type GuardDraft, type MetricDraft, newMetric, paces } from './guard-draft'
import type { NewGuardProps } from './NewGuard'

type GuardFieldsProps = Pick<NewGuardProps, 'slug' | 'percentages' | 'variants' | 'goals'> & {
  draft: GuardDraft
  onChange: (part: Partial<GuardDraft>) => void
}

/** The fields of a new guarded rollout. */
export function GuardFields({ draft, onChange, ...context }: GuardFieldsProps) {
  const { pace, minimum, waitsForPeople } = draft
  return (
    <>
      <Field label="Pace">
        <Select
          options={Object.entries(paces).map(([value, { label, hint }]) => ({ value, label, hint }))}
          value={pace}
          onChange={(next) => onChange({ pace: next })}
        />
      </Field>
      <AudienceFields draft={draft} onChange={onChange} {...context} />
      <MetricFields draft={draft} onChange={onChange} {...context} />
      <Field label="Minimum people per side" hint="No result before both sides have this many people.">
        <NumberInput
          value={minimum}
          min={20}
          step={1}
          onChange={(next) => onChange({ minimum: next ?? 100 })}
        />
      </Field>
      <Checkbox
        label="Wait for the minimum"
        hint="A due step waits until both sides have enough people."
        checked={waitsForPeople}
        onChange={(waits) => onChange({ waitsForPeople: waits })}
      />
    </>
  )
}

const anyEvent = 'any'

/** The condition set that grows, and the compared variant; shown only if there is a choice. */
function AudienceFields({ draft: { set, variant }, onChange, percentages, variants }: GuardFieldsProps) {
  return (
    <>
      {percentages.length > 1 && (
        <Field label="Condition set">
          <Select
            options={percentages.map((percentage, index) => ({
              value: String(index),
              label: `Condition set ${index + 1}, now ${percentage}%`,
            }))}
            value={String(set)}
            onChange={(index) => onChange({ set: Number(index) })}
          />
        </Field>
      )}
      {variants.length > 0 && (
        <Field label="Compare with everyone else">
          <Select
            options={[
              { value: anyEvent, label: 'People with any variant' },
              ...variants.map((key) => ({ value: `variant ${key}`, label: `People with ${key}` })),
            ]}
            value={variant === undefined ? anyEvent : `variant ${variant}`}
            onChange={(next) =>
              onChange({ variant: next === anyEvent ? undefined : next.slice('variant '.length) })
            }
          />
        </Field>
      )}
    </>
  )
}

function MetricFields({ draft: { metrics }, onChange, slug, goals }: GuardFieldsProps) {
  const put = (next: MetricDraft[]) => onChange({ metrics: next })
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1.5 font-medium">Metrics</legend>
      {metrics.map((metric, index) => (
        <MetricRow
          key={metric.id}
          slug={slug}
          metric={metric}
          label={`Metric ${index + 1}`}
          goals={goals}
          onChange={(next) => put(metrics.with(index, next))}
          onRemove={() => put(metrics.toSpliced(index, 1))}
        />
      ))}
      <div>
        <Button size="sm" icon={<Icon of={Plus} />} onClick={() => put([...metrics, newMetric('LCP')])}>
          Add metric
        </Button>
      </div>
    </fieldset>
  )
}

const numbers = [
  { value: 'exceptions', label: 'Exceptions per visitor' },
  { value: 'LCP', label: 'Largest contentful paint' },
  { value: 'INP', label: 'Interaction to next paint' },
  { value: 'CLS', label: 'Layout shift' },
  { value: 'event', label: 'Visitors with an event' },
  { value: 'goal', label: 'Visitors who reach a goal' },
] as const

function MetricRow({
  slug,
  metric,
  label,
  goals,
  onChange,
  onRemove,
}: {
  slug: string
  metric: MetricDraft
  label: string
  goals: NewGuardProps['goals']
  onChange: (next: MetricDraft) => void
  onRemove: () => void
}) {
  const { what, which, worse } = metric
  const choose = (next: string | null) => onChange({ ...metric, which: next ?? undefined })
  return (
    <div className="flex items-start gap-1.5">
      <div className="flex min-w-0 grow flex-wrap gap-1.5">
        <div className="w-full sm:w-52">
          <Select
            aria-label={`${label}: what`}
            options={numbers}
            value={what}
            onChange={(next) => onChange({ ...metric, what: next, which: undefined })}
          />
        </div>
        {what === 'event' && <EventChoice slug={slug} label={label} value={which} onChange={choose} />}
        {what === 'goal' && (
          <div className="w-full sm:w-44">
            <Combobox
              aria-label={`${label}: goal`}
              placeholder="Choose a goal"
              options={goals.map(({ id, name }) => ({ value: id, label: name }))}
              value={which ?? null}
              onChange={choose}
              nothingFound={goals.length === 0 ? 'No goals yet' : undefined}
              required
            />
          </div>
        )}
        <div className="w-40">
          <NumberInput
            aria-label={`${label}: allowed regression`}
            value={worse}
            min={0}
            step={1}
            unit="% worse"
            onChange={(next) => onChange({ ...metric, worse: next ?? 0 })}
          />
        </div>
      </div>
      <IconButton label={`Remove ${label.toLowerCase()}`} icon={<Icon of={X} />} onClick={onRemove} />
    </div>
  )
}

function EventChoice({
  slug,
  label,
  value,
  onChange,
}: {
  slug: string
  label: string
  value: string | undefined
  onChange: (next: string | null) => void
}) {
  const { found, isLoading } = useEventSuggestions(slug)
  return (
    <div className="w-full sm:w-44">
      <Combobox
        aria-label={`${label}: event`}
        placeholder="Choose an event"
        options={found.map(({ name, label: called, isVerified }) => ({
          value: name,
          label: called,
          isVerified,
        }))}
        value={value ?? null}
        onChange={onChange}
        searching={isLoading}
        allowOther
        required
      />
    </div>
  )
}
