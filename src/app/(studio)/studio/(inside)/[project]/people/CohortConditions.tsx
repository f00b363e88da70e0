'use client'

import { Plus, X } from 'lucide-react'
import type { CohortName, Times, Within } from '../../../../../../persons/cohort'
import { Button } from '../../../../../../ui/Button'
import { Combobox } from '../../../../../../ui/Combobox'
import { Icon } from '../../../../../../ui/Icon'
import { IconButton } from '../../../../../../ui/IconButton'
import { Menu } from '../../../../../../ui/Menu'
import { NumberInput } from '../../../../../../ui/NumberInput'
import { SegmentedControl } from '../../../../../../ui/SegmentedControl'
import { Select } from '../../../../../../ui/Select'
import { TextInput } from '../../../../../../ui/TextInput'
import { FilterEditor } from '../../../../filters/FilterEditor'
import { useEventSuggestions } from '../../../../filters/use-suggestions'
import { type ConditionDraft, type GroupDraft, type HappeningDraft, newCondition } from './cohort-draft'

export interface ConditionsGround {
  slug: string
  /** Those that this one can be made with. */
  cohorts: readonly CohortName[]
}

const modes = [
  { value: 'all', label: 'All of these' },
  { value: 'any', label: 'Any of these' },
] as const

const deepest = 2

/** Who belongs to a cohort, condition by condition. */
export function CohortConditions({
  draft,
  onChange,
  ground,
  label = 'Condition',
  depth = 0,
}: {
  draft: GroupDraft
  onChange: (next: GroupDraft) => void
  ground: ConditionsGround
  label?: string
  depth?: number
}) {
  const { mode, members } = draft
  const put = (next: ConditionDraft[]) => onChange({ mode, members: next })
  const add = (made: () => ConditionDraft) => () => put([...members, made()])

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
      {members.map((member, place) => (
        <Condition
          key={member.id}
          draft={member}
          onChange={(next) => put(members.with(place, next))}
          onRemove={() => put(members.toSpliced(place, 1))}
          label={`${label} ${place + 1}`}
          ground={ground}
          depth={depth}
        />
      ))}
      <div>
        <Menu
          trigger={
            <Button size="sm" icon={<Icon of={Plus} />}>
              Add a condition
            </Button>
          }
          entries={[
            { label: 'Did something…', onSelect: add(newCondition.did) },
            { label: 'Did something for the first time…', onSelect: add(newCondition.first) },
            { label: 'Has a property…', onSelect: add(newCondition.is) },
            { label: 'Is in another cohort…', onSelect: add(newCondition.in) },
            ...(depth < deepest
              ? [{ label: 'A group of conditions', onSelect: add(newCondition.group) }]
              : []),
          ]}
        />
      </div>
    </div>
  )
}

interface ConditionProps<Draft> {
  draft: Draft
  onChange: (next: ConditionDraft) => void
  label: string
  ground: ConditionsGround
}

function Condition({
  onRemove,
  depth,
  ...props
}: ConditionProps<ConditionDraft> & { onRemove: () => void; depth: number }) {
  const { draft, onChange, label, ground } = props

  return (
    <fieldset className="flex items-start gap-1.5 rounded-md border border-line bg-sunken p-2.5">
      <legend className="sr-only">{label}</legend>
      <div className="flex min-w-0 grow flex-col gap-2">
        {draft.kind === 'did' && <Did {...props} draft={draft} />}
        {draft.kind === 'first' && <First {...props} draft={draft} />}
        {draft.kind === 'is' && <Is {...props} draft={draft} />}
        {draft.kind === 'in' && <In {...props} draft={draft} />}
        {draft.kind === 'group' && (
          <>
            <Verb {...props} yes="Fits" no="Does not fit" />
            <CohortConditions
              draft={draft}
              onChange={(next) => onChange({ ...draft, ...next })}
              ground={ground}
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

function Verb({
  draft,
  onChange,
  label,
  yes,
  no,
}: ConditionProps<ConditionDraft> & { yes: string; no: string }) {
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

function Did(props: ConditionProps<ConditionDraft & { kind: 'did' }>) {
  const { draft, onChange, label, ground } = props
  const { happening, times, within } = draft

  return (
    <>
      <div className={rowClass}>
        <Verb {...props} yes="Did" no="Did not do" />
        <EventChoice
          label={label}
          slug={ground.slug}
          happening={happening}
          onChange={(next) => onChange({ ...draft, happening: next })}
        />
        <HowOften label={label} times={times} onChange={(next) => onChange({ ...draft, times: next })} />
        <When
          label={label}
          within={within}
          onChange={(next) => onChange({ ...draft, within: next })}
          mayBeEver
        />
      </div>
      <WhichOnes
        label={label}
        slug={ground.slug}
        happening={happening}
        onChange={(next) => onChange({ ...draft, happening: next })}
      />
    </>
  )
}

function First(props: ConditionProps<ConditionDraft & { kind: 'first' }>) {
  const { draft, onChange, label, ground } = props
  const { happening, within } = draft

  return (
    <>
      <div className={rowClass}>
        <Verb {...props} yes="First did" no="Did not first do" />
        <EventChoice
          label={label}
          slug={ground.slug}
          happening={happening}
          onChange={(next) => onChange({ ...draft, happening: next })}
        />
        <When
          label={label}
          within={within}
          onChange={(next) => onChange({ ...draft, within: next ?? { days: 30 } })}
        />
      </div>
      <WhichOnes
        label={label}
        slug={ground.slug}
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
  happening: HappeningDraft
  onChange: (next: HappeningDraft) => void
}) {
  const { found, isLoading } = useEventSuggestions(slug)
  const options = [
    { value: anyEvent, label: 'Any event' },
    ...found.map(({ name, label: called }) => ({ value: name, label: called })),
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

function HowOften({
  label,
  times,
  onChange,
}: {
  label: string
  times: Times
  onChange: (next: Times) => void
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
          unit={times.count === 1 ? 'time' : 'times'}
          onChange={(count) => onChange({ ...times, count: count ?? 1 })}
        />
      </div>
    </>
  )
}

const ever = { value: 'ever', label: 'ever' } as const
const whens = [
  { value: 'days', label: 'in the last' },
  { value: 'between', label: 'between' },
] as const

function When({
  label,
  within,
  onChange,
  mayBeEver = false,
}: {
  label: string
  within: Within | undefined
  onChange: (next: Within | undefined) => void
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
        options={mayBeEver ? [...whens, ever] : whens}
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
            unit={within.days === 1 ? 'day' : 'days'}
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

/** Of the events of that name only those for which something holds. */
function WhichOnes({
  label,
  slug,
  happening,
  onChange,
}: {
  label: string
  slug: string
  happening: HappeningDraft
  onChange: (next: HappeningDraft) => void
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

function Is(props: ConditionProps<ConditionDraft & { kind: 'is' }>) {
  const { draft, onChange, label, ground } = props
  return (
    <>
      <div className={rowClass}>
        <Verb {...props} yes="Has" no="Has not" />
      </div>
      <FilterEditor
        label={`${label}: properties`}
        value={draft.filter}
        onChange={(filter) => onChange({ ...draft, filter })}
        projectSlug={ground.slug}
        of={ofPersons}
      />
    </>
  )
}

function In(props: ConditionProps<ConditionDraft & { kind: 'in' }>) {
  const { draft, onChange, label, ground } = props
  return (
    <div className={rowClass}>
      <Verb {...props} yes="Is in" no="Is not in" />
      <div className="w-full sm:w-64">
        <Combobox
          aria-label={`${label}: cohort`}
          placeholder="Choose a cohort"
          options={ground.cohorts.map(({ id, name }) => ({ value: id, label: name }))}
          value={draft.cohort ?? null}
          onChange={(cohort) => onChange({ ...draft, cohort: cohort ?? undefined })}
          nothingFound={ground.cohorts.length === 0 ? 'There is no other cohort yet' : undefined}
          required
        />
      </div>
    </div>
  )
}
