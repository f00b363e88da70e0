'use client'

import { X } from 'lucide-react'
import { propertyLabel, standardProperty } from '#events/taxonomy'
import { isOperator, vocabulary } from '#filters/vocabulary'
import type { PropertyOption } from '#insights/text/name-suggestions'
import { Combobox, type ComboboxOption } from '#ui/form/Combobox'
import { Icon } from '#ui/Icon'
import { IconButton } from '#ui/IconButton'
import { Select } from '#ui/form/Select'
import {
  type FilterConditionDraft,
  newCondition,
  operatorsFor,
  type PropertySubject,
  valueFor,
} from './draft'
import type { FilterEditorContext } from './FilterEditor'
import type { SubjectType } from './use-suggestions'
import { ValueInput } from './ValueInput'

interface FilterRowProps<Draft extends FilterConditionDraft> {
  draft: Draft
  onChange: (next: FilterConditionDraft) => void
  label: string
  context: FilterEditorContext
}

/** One condition: its property, its operator and its value. */
export function ConditionRow({
  onRemove,
  ...props
}: FilterRowProps<FilterConditionDraft> & { onRemove: () => void }) {
  const { draft, label } = props

  return (
    <div className="flex items-start gap-1.5">
      <div className="flex min-w-0 grow flex-wrap gap-1.5">
        <SubjectPicker {...props} />
        {draft.kind === 'property' && <Comparison {...props} draft={draft} />}
        {draft.kind === 'cohort' && <Membership {...props} draft={draft} />}
      </div>
      <IconButton label={`Remove ${label.toLowerCase()}`} icon={<Icon of={X} />} onClick={onRemove} />
    </div>
  )
}

const subjectTypeLabels: Record<SubjectType, string> = {
  event: 'Event',
  person: 'Person',
  group: 'Group',
  session: 'Session',
  cohort: 'Cohort',
}

function SubjectPicker({ draft, onChange, label, context }: FilterRowProps<FilterConditionDraft>) {
  const { suggestions, of } = context
  const chosen =
    draft.kind === 'property' ? valueOf(draft.subject) : draft.kind === 'cohort' ? 'cohort' : null
  const options = optionsFor(context, draft)

  function choose(value: string | null) {
    if (value === null) return onChange({ ...newCondition(), id: draft.id })
    if (value === 'cohort')
      return onChange({ id: draft.id, kind: 'cohort', operator: 'in', cohort: undefined })
    const subject = subjectIn(value) ?? typedIn(value, of)
    if (!subject) return undefined
    const [operator = 'exact'] = operatorsFor(valuesOf(subject, context))
    return onChange({ id: draft.id, kind: 'property', subject, operator, value: undefined })
  }

  return (
    <div className="w-full sm:w-56">
      <Combobox
        aria-label={`${label}: property`}
        placeholder="Choose a property"
        options={options}
        value={chosen}
        onChange={choose}
        allowOther={!isOnly(of, 'cohort')}
        searching={suggestions.isLoading}
        nothingFound={suggestions.trouble}
        required
      />
    </div>
  )
}

function Comparison({
  draft,
  onChange,
  label,
  context,
}: FilterRowProps<FilterConditionDraft & { kind: 'property' }>) {
  const { subject, operator, value } = draft
  const operators = operatorsFor(valuesOf(subject, context), operator)

  return (
    <>
      <div className="w-full sm:w-44">
        <Select
          aria-label={`${label}: comparison`}
          options={operators.map((name) => ({ value: name, label: vocabulary[name].label }))}
          value={operator}
          onChange={(next) =>
            isOperator(next) && onChange({ ...draft, operator: next, value: valueFor(next, operator, value) })
          }
        />
      </div>
      <div className="min-w-40 grow basis-40 empty:hidden">
        <ValueInput
          label={`${label}: value`}
          subject={subject}
          takes={vocabulary[operator].takes}
          value={value}
          onChange={(next) => onChange({ ...draft, value: next })}
          projectSlug={context.projectSlug}
          event={context.event}
        />
      </div>
    </>
  )
}

const memberships = [
  { value: 'in', label: 'is in' },
  { value: 'not_in', label: 'is not in' },
] as const

function Membership({
  draft,
  onChange,
  label,
  context,
}: FilterRowProps<FilterConditionDraft & { kind: 'cohort' }>) {
  const { cohorts } = context.suggestions.found

  return (
    <>
      <div className="w-full sm:w-44">
        <Select
          aria-label={`${label}: comparison`}
          options={memberships}
          value={draft.operator}
          onChange={(operator) => onChange({ ...draft, operator })}
        />
      </div>
      <div className="min-w-40 grow basis-40">
        <Combobox
          aria-label={`${label}: cohort`}
          placeholder="Choose a cohort"
          options={cohorts.map(({ id, name }) => ({ value: id, label: name }))}
          value={draft.cohort ?? null}
          onChange={(cohort) => onChange({ ...draft, cohort: cohort ?? undefined })}
          nothingFound={cohorts.length === 0 ? 'No cohorts yet' : undefined}
          searching={context.suggestions.isLoading}
          required
        />
      </div>
    </>
  )
}

/** A property as the value of an option. */
const valueOf = ({ type, group, key }: PropertySubject): string => JSON.stringify([type, key, group])

/** Undefined for typed text that is in no list. */
function subjectIn(value: string): PropertySubject | undefined {
  if (!value.startsWith('["')) return undefined
  // only `valueOf` writes options, in this format
  const [type, key, group] = JSON.parse(value) as [PropertySubject['type'], string, string | null | undefined]
  return { type, key, group: group ?? undefined }
}

/** Takes an unknown name as a property of the first type that allows any name. */
function typedIn(key: string, of: readonly SubjectType[]): PropertySubject | undefined {
  const type = of.find((one) => one === 'event' || one === 'person')
  return type && { type, key }
}

const isOnly = (of: readonly SubjectType[], type: SubjectType): boolean => of.every((one) => one === type)

function optionsFor({ of, suggestions }: FilterEditorContext, draft: FilterConditionDraft): ComboboxOption[] {
  const known = suggestions.found.properties.map((property) => optionFor(property))
  const cohort = of.includes('cohort') ? [{ value: 'cohort', label: 'Cohort', hint: 'Person' }] : []
  const all = [...known, ...cohort]
  if (draft.kind !== 'property' || all.some(({ value }) => value === valueOf(draft.subject))) return all
  const { type, key, group } = draft.subject
  return [...all, optionFor({ type, key, group, label: propertyLabel(key) })]
}

const optionFor = ({ type, key, group, label }: PropertyOption): ComboboxOption => ({
  value: valueOf({ type, key, group }),
  label,
  hint: group ?? subjectTypeLabels[type],
})

function valuesOf({ type, key, group }: PropertySubject, { suggestions }: FilterEditorContext) {
  const known = suggestions.found.properties.find(
    (one) => one.type === type && one.key === key && one.group === group,
  )
  return known ? known.values : standardProperty(key)?.type
}
