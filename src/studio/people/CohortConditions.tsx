'use client'

import { pluralWord } from '#ui/format'
import { Plus, X } from 'lucide-react'
import type { CohortName, CohortEventCount, CohortPeriod } from '#persons/cohort'
import { Button } from '#ui/Button'
import { Combobox } from '#ui/form/Combobox'
import { Icon } from '#ui/Icon'
import { IconButton } from '#ui/IconButton'
import { Menu } from '#ui/overlay/Menu'
import { NumberInput } from '#ui/form/NumberInput'
import { SegmentedControl } from '#ui/form/SegmentedControl'
import { Select } from '#ui/form/Select'
import { TextInput } from '#ui/form/TextInput'
import { FilterEditor } from '#studio/filters/FilterEditor'
import { useEventSuggestions } from '#studio/filters/use-suggestions'
import {
  type CohortConditionDraft,
  type CohortGroupDraft,
  type CohortEventDraft,
  newCondition,
} from './cohort-draft'

interface CohortEditorContext {
  slug: string
  /** The cohorts that this one can be made with. */
  cohorts: readonly CohortName[]
}

const modes = [
  { value: 'all', label: 'All of these' },
  { value: 'any', label: 'Any of these' },
] as const

const deepest = 2

/** The conditions that make a person belong to a cohort. */
export function CohortConditions({
  draft,
  onChange,
  context,
  label = 'Condition',
  depth = 0,
}: {
  draft: CohortGroupDraft
  onChange: (next: CohortGroupDraft) => void
  context: CohortEditorContext
  label?: string
  depth?: number
}) {
  const { mode, members } = draft
  const put = (next: CohortConditionDraft[]) => onChange({ mode, members: next })
  const add = (made: () => CohortConditionDraft) => () => put([...members, made()])

  return (
    <div className="flex flex-col gap-3">
      {members.length > 1 && (
        <div>
          <SegmentedControl
            label={`${label}s: how many must hold`}
            options={modes}
            value={mode}
            onChange={(next) => onChange({ mode: next, members })}
          />
        </div>
      )}
      {members.map((member, index) => (
        <Condition
          key={member.id}
          draft={member}
          onChange={(next) => put(members.with(index, next))}
          onRemove={() => put(members.toSpliced(index, 1))}
          label={`${label} ${index + 1}`}
          context={context}
          depth={depth}
        />
      ))}
      <div>
        <Menu
          trigger={
            <Button size="sm" icon={<Icon of={Plus} />}>
              Add condition
            </Button>
          }
          entries={[
            { label: 'Event…', onSelect: add(newCondition.did) },
            { label: 'First-time event…', onSelect: add(newCondition.first) },
            { label: 'Property…', onSelect: add(newCondition.is) },
            { label: 'Cohort…', onSelect: add(newCondition.in) },
            ...(depth < deepest ? [{ label: 'Condition group', onSelect: add(newCondition.group) }] : []),
          ]}
        />
      </div>
    </div>
  )
}

interface ConditionProps<Draft> {
  draft: Draft
  onChange: (next: CohortConditionDraft) => void
  label: string
  context: CohortEditorContext
}

function Condition({
  onRemove,
  depth,
  ...props
}: ConditionProps<CohortConditionDraft> & { onRemove: () => void; depth: number }) {
  const { draft, onChange, label, context } = props

  return (
    <fieldset className="flex min-w-0 items-start gap-1.5 rounded-md border border-line bg-sunken p-2.5">
      <legend className="sr-only">{label}</legend>
      <div className="flex min-w-0 grow flex-col gap-2">
        {draft.kind === 'did' && <EventCondition {...props} draft={draft} />}
        {draft.kind === 'first' && <FirstEventCondition {...props} draft={draft} />}
        {draft.kind === 'is' && <PersonCondition {...props} draft={draft} />}
        {draft.kind === 'in' && <CohortMembershipCondition {...props} draft={draft} />}
        {draft.kind === 'group' && (
          <>
            <ConditionVerb {...props} yes="Matches" no="Does not match" />
            <CohortConditions
              draft={draft}
              onChange={(next) => onChange({ ...draft, ...next })}
              context={context}
              label={`${label}.`}
              depth={depth + 1}
            />
          </>
        )}
      </div>
      <IconButton label={`Remove ${label.toLowerCase()}`} icon={<Icon of={X} />} onClick={onRemove} />
    </fieldset>
  )
}

function ConditionVerb({
  draft,
  onChange,
  label,
  yes,
  no,
}: ConditionProps<CohortConditionDraft> & { yes: string; no: string }) {
  return (
    <Select
      fit
      aria-label={`${label}: whether`}
      options={[
        { value: 'yes', label: yes },
        { value: 'no', label: no },
      ]}
      value={draft.isNegated ? 'no' : 'yes'}
      onChange={(answer) => onChange({ ...draft, isNegated: answer === 'no' })}
    />
  )
}

const rowClass = 'flex flex-wrap items-center gap-1.5'

function EventCondition(props: ConditionProps<CohortConditionDraft & { kind: 'did' }>) {
  const { draft, onChange, label, context } = props
  const { happening, times, within } = draft

  return (
    <>
      <div className={rowClass}>
        <ConditionVerb {...props} yes="Did" no="Did not do" />
        <EventChoice
          label={label}
          slug={context.slug}
          happening={happening}
          onChange={(next) => onChange({ ...draft, happening: next })}
        />
        <FrequencyFields
          label={label}
          times={times}
          onChange={(next) => onChange({ ...draft, times: next })}
        />
        <TimeWindowFields
          label={label}
          within={within}
          onChange={(next) => onChange({ ...draft, within: next })}
          mayBeEver
        />
      </div>
      <EventFilterField
        label={label}
        slug={context.slug}
        happening={happening}
        onChange={(next) => onChange({ ...draft, happening: next })}
      />
    </>
  )
}

function FirstEventCondition(props: ConditionProps<CohortConditionDraft & { kind: 'first' }>) {
  const { draft, onChange, label, context } = props
  const { happening, within } = draft

  return (
    <>
      <div className={rowClass}>
        <ConditionVerb {...props} yes="First did" no="Did not first do" />
        <EventChoice
          label={label}
          slug={context.slug}
          happening={happening}
          onChange={(next) => onChange({ ...draft, happening: next })}
        />
        <TimeWindowFields
          label={label}
          within={within}
          onChange={(next) => onChange({ ...draft, within: next ?? { days: 30 } })}
        />
      </div>
      <EventFilterField
        label={label}
        slug={context.slug}
        happening={happening}
        onChange={(next) => onChange({ ...draft, happening: next })}
      />
    </>
  )
}

const anyEvent = '*'

function EventChoice({
  label,
  slug,
  happening,
  onChange,
}: {
  label: string
  slug: string
  happening: CohortEventDraft
  onChange: (next: CohortEventDraft) => void
}) {
  const { found, isLoading } = useEventSuggestions(slug)
  const options = [
    { value: anyEvent, label: 'Any event' },
    ...found.map(({ name, label: called, isVerified }) => ({ value: name, label: called, isVerified })),
  ]

  return (
    <div className="w-full sm:w-52">
      <Combobox
        aria-label={`${label}: event`}
        placeholder="Choose an event"
        options={options}
        value={happening.event === null ? anyEvent : (happening.event ?? null)}
        onChange={(event) =>
          onChange({ ...happening, event: event === anyEvent ? null : (event ?? undefined) })
        }
        searching={isLoading}
        allowOther
        required
      />
    </div>
  )
}

const comparisons = [
  { value: 'least', label: 'at least' },
  { value: 'most', label: 'at most' },
  { value: 'exactly', label: 'exactly' },
] as const

function FrequencyFields({
  label,
  times,
  onChange,
}: {
  label: string
  times: CohortEventCount
  onChange: (next: CohortEventCount) => void
}) {
  return (
    <>
      <Select
        fit
        aria-label={`${label}: more or less often`}
        options={comparisons}
        value={times.at}
        onChange={(at) => onChange({ ...times, at })}
      />
      <div className="w-40">
        <NumberInput
          aria-label={`${label}: how often`}
          value={times.count}
          min={0}
          step={1}
          unit={pluralWord(times.count, 'time')}
          onChange={(count) => onChange({ ...times, count: count ?? 1 })}
        />
      </div>
    </>
  )
}

const wholeHistory = { value: 'ever', label: 'ever' } as const
const timeWindowOptions = [
  { value: 'days', label: 'in the last' },
  { value: 'between', label: 'between' },
] as const

function TimeWindowFields({
  label,
  within,
  onChange,
  mayBeEver = false,
}: {
  label: string
  within: CohortPeriod | undefined
  onChange: (next: CohortPeriod | undefined) => void
  mayBeEver?: boolean
}) {
  const kind = !within ? 'ever' : 'days' in within ? 'days' : 'between'
  const choose = (next: 'ever' | 'days' | 'between') =>
    onChange(next === 'ever' ? undefined : next === 'days' ? { days: 30 } : { from: '', to: '' })

  return (
    <>
      <Select
        fit
        aria-label={`${label}: when`}
        options={mayBeEver ? [...timeWindowOptions, wholeHistory] : timeWindowOptions}
        value={kind}
        onChange={choose}
      />
      {within && 'days' in within && (
        <div className="w-40">
          <NumberInput
            aria-label={`${label}: how many days`}
            value={within.days}
            min={1}
            max={3650}
            step={1}
            unit={pluralWord(within.days, 'day')}
            onChange={(days) => onChange({ days: days ?? 30 })}
          />
        </div>
      )}
      {within && 'from' in within && (
        <>
          <Day
            label={`${label}: first day`}
            value={within.from}
            onChange={(from) => onChange({ ...within, from })}
          />
          <span className="text-muted">and</span>
          <Day
            label={`${label}: last day`}
            value={within.to}
            onChange={(to) => onChange({ ...within, to })}
          />
        </>
      )}
    </>
  )
}

const Day = ({
  label,
  value,
  onChange,
}: {
  label: string
  value: string
  onChange: (next: string) => void
}) => (
  <div className="w-36">
    <TextInput
      type="date"
      aria-label={label}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    />
  </div>
)

const ofEvents = ['event', 'session', 'group'] as const

/** Filters the events of a condition by their properties. */
function EventFilterField({
  label,
  slug,
  happening,
  onChange,
}: {
  label: string
  slug: string
  happening: CohortEventDraft
  onChange: (next: CohortEventDraft) => void
}) {
  if (happening.event === undefined) return null
  return (
    <FilterEditor
      label={`${label}: which ones`}
      value={happening.filter}
      onChange={(filter) => onChange({ ...happening, filter })}
      projectSlug={slug}
      of={ofEvents}
      event={happening.event}
    />
  )
}

const ofPersons = ['person'] as const

function PersonCondition(props: ConditionProps<CohortConditionDraft & { kind: 'is' }>) {
  const { draft, onChange, label, context } = props
  return (
    <>
      <div className={rowClass}>
        <ConditionVerb {...props} yes="Has" no="Has not" />
      </div>
      <FilterEditor
        label={`${label}: properties`}
        value={draft.filter}
        onChange={(filter) => onChange({ ...draft, filter })}
        projectSlug={context.slug}
        of={ofPersons}
      />
    </>
  )
}

function CohortMembershipCondition(props: ConditionProps<CohortConditionDraft & { kind: 'in' }>) {
  const { draft, onChange, label, context } = props
  return (
    <div className={rowClass}>
      <ConditionVerb {...props} yes="Is in" no="Is not in" />
      <div className="w-full sm:w-64">
        <Combobox
          aria-label={`${label}: cohort`}
          placeholder="Choose a cohort"
          options={context.cohorts.map(({ id, name }) => ({ value: id, label: name }))}
          value={draft.cohort ?? null}
          onChange={(cohort) => onChange({ ...draft, cohort: cohort ?? undefined })}
          nothingFound={context.cohorts.length === 0 ? 'No other cohorts' : undefined}
          required
        />
      </div>
    </div>
  )
}
