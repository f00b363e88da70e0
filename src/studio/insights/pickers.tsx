'use client'

import { type ComponentProps, createContext, lazy, type ReactNode, Suspense, use } from 'react'
import { eventLabel, isSystemEvent, propertyLabel } from '#events/taxonomy'
import type { PropertyOption } from '#insights/text/name-suggestions'
import { Combobox, MultiCombobox } from '#ui/form/Combobox'
import { compact } from '#ui/format'
import { Skeleton } from '#ui/page/Skeleton'
import { useEventSuggestions, usePropertySuggestions } from '#studio/filters/use-suggestions'
import { type QueryPickers, PickersProvider, type PropertyReference } from './form/pickers'

const FilterEditor = lazy(async () => ({
  default: (await import('#studio/filters/FilterEditor')).FilterEditor,
}))

const Slug = createContext('')

/** Lets the forms about queries choose among what this project has. */
export function StudioPickers({ slug, children }: { slug: string; children: ReactNode }) {
  return (
    <Slug value={slug}>
      <PickersProvider pickers={pickers}>{children}</PickersProvider>
    </Slug>
  )
}

const pickers: QueryPickers = {
  Event: EventPicker,
  Events: EventsPicker,
  Property: PropertyPicker,
  Cohorts: CohortsPicker,
  GroupType: GroupTypePicker,
  Filter: (editor) => (
    <Suspense fallback={<Skeleton className="h-8 w-32" />}>
      <FilterEditor
        {...editor}
        projectSlug={use(Slug)}
        of={['event', 'person', 'session', 'group', 'cohort']}
      />
    </Suspense>
  ),
}

/** No event has such a name. */
const anyEventOption = '\u0000'

/** Returns the names of recent events, the relevant ones first. */
function useEventOptions(chosen: readonly string[]) {
  const { found, isLoading, trouble } = useEventSuggestions(use(Slug))
  const seen = found.toSorted(
    (one, other) => Number(isSystemEvent(one.name)) - Number(isSystemEvent(other.name)),
  )
  const unseen = chosen.filter((name) => name !== anyEventOption && !found.some((one) => one.name === name))
  return {
    options: [
      ...seen.map(({ name, label, count, isVerified }) => ({
        value: name,
        label,
        hint: compact(count),
        isVerified,
      })),
      ...unseen.map((name) => ({ value: name, label: eventLabel(name) })),
    ],
    searching: isLoading,
    nothingFound: trouble,
  }
}

function EventPicker({ label, value, onChange, allowAny }: ComponentProps<QueryPickers['Event']>) {
  const chosen = value === null ? anyEventOption : (value ?? null)
  const { options, ...list } = useEventOptions(chosen === null ? [] : [chosen])
  return (
    <Combobox
      aria-label={label}
      placeholder="Choose an event"
      options={allowAny ? [{ value: anyEventOption, label: 'Any event' }, ...options] : options}
      value={chosen}
      onChange={(next) => next !== null && onChange(next === anyEventOption ? null : next)}
      allowOther
      required
      {...list}
    />
  )
}

function EventsPicker({ label, values, onChange }: ComponentProps<QueryPickers['Events']>) {
  return (
    <MultiCombobox
      aria-label={label}
      placeholder="All events"
      values={values}
      onChange={onChange}
      allowOther
      {...useEventOptions(values)}
    />
  )
}

const subjectTypeLabels: Record<PropertyReference['type'], string> = {
  event: 'Event',
  person: 'Person',
  session: 'Session',
  group: 'Group',
}

/** A property as the value of an option. */
const textOf = ({ type, key, group }: PropertyReference): string => JSON.stringify([type, key, group])

function PropertyPicker(props: ComponentProps<QueryPickers['Property']>) {
  const { label, value, onChange, of, event, placeholder = 'Choose a property', required } = props
  const { found, isLoading, trouble } = usePropertySuggestions(use(Slug), of, event, true)
  const options = found.properties.map(optionFor)
  const isKnown = value === undefined || options.some((option) => option.value === textOf(value))

  return (
    <Combobox
      aria-label={label}
      placeholder={placeholder}
      options={isKnown ? options : [...options, optionFor({ ...value, label: propertyLabel(value.key) })]}
      value={value ? textOf(value) : null}
      onChange={(next) => onChange(next === null ? undefined : propertyIn(next))}
      allowOther
      required={required}
      searching={isLoading}
      nothingFound={trouble}
    />
  )
}

const optionFor = ({
  type,
  key,
  group,
  label,
}: Pick<PropertyOption, 'type' | 'key' | 'group' | 'label'>) => ({
  value: textOf({ type, key, group }),
  label,
  hint: group ?? subjectTypeLabels[type],
})

/** Reads a typed text that is in no list as a property of the event. */
function propertyIn(text: string): PropertyReference {
  if (!text.startsWith('["')) return { type: 'event', key: text }
  // only `textOf` writes options, in this format
  const [type, key, group] = JSON.parse(text) as [
    PropertyReference['type'],
    string,
    string | null | undefined,
  ]
  return group ? { type, key, group } : { type, key }
}

function CohortsPicker({ label, values, onChange }: ComponentProps<QueryPickers['Cohorts']>) {
  const { found, isLoading } = usePropertySuggestions(use(Slug), ['cohort'], undefined, true)
  return (
    <MultiCombobox
      aria-label={label}
      placeholder="Choose cohorts"
      options={found.cohorts.map(({ id, name }) => ({ value: id, label: name }))}
      values={values}
      onChange={onChange}
      searching={isLoading}
      nothingFound={found.cohorts.length === 0 ? 'No cohorts yet' : undefined}
    />
  )
}

/** Group types are derived from the properties of groups. */
function GroupTypePicker({ label, value, onChange }: ComponentProps<QueryPickers['GroupType']>) {
  const { found, isLoading } = usePropertySuggestions(use(Slug), ['group'], undefined, true)
  const types = [...new Set(found.properties.flatMap(({ group }) => group ?? []))]
  return (
    <Combobox
      aria-label={label}
      placeholder="Choose a group type"
      options={types.map((type) => ({ value: type, label: type }))}
      value={value || null}
      onChange={(next) => next !== null && onChange(next)}
      allowOther
      required
      searching={isLoading}
      nothingFound="No groups yet. Send $groups with your events."
    />
  )
}
