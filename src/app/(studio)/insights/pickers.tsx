'use client'

import { type ComponentProps, createContext, type ReactNode, use } from 'react'
import { eventLabel, propertyLabel } from '../../../events/taxonomy'
import type { PropertySeen } from '../../../insights/names'
import { type Pickers, PickersProvider, type PropertyRef } from '../../../insights/pickers'
import { Combobox, MultiCombobox } from '../../../ui/Combobox'
import { compact } from '../../../ui/format'
import { FilterEditor } from '../filters/FilterEditor'
import { useEventSuggestions, usePropertySuggestions } from '../filters/use-suggestions'

const Slug = createContext('')

/** Lets the forms about questions choose among what this project has. */
export function StudioPickers({ slug, children }: { slug: string; children: ReactNode }) {
  return (
    <Slug value={slug}>
      <PickersProvider pickers={pickers}>{children}</PickersProvider>
    </Slug>
  )
}

const pickers: Pickers = {
  Event: EventPicker,
  Events: EventsPicker,
  Property: PropertyPicker,
  Cohorts: CohortsPicker,
  GroupType: GroupTypePicker,
  Filter: (editor) => (
    <FilterEditor
      {...editor}
      projectSlug={use(Slug)}
      of={['event', 'person', 'session', 'group', 'cohort']}
    />
  ),
}

/** No event has such a name. */
const any = '\u0000'

/** Names of events that came in of late, those of interest first. */
function useEventOptions(chosen: readonly string[]) {
  const { found, isLoading, trouble } = useEventSuggestions(use(Slug))
  const seen = [...found.filter(({ isAuxiliary }) => !isAuxiliary), ...found.filter((one) => one.isAuxiliary)]
  const unseen = chosen.filter((name) => name !== any && !found.some((one) => one.name === name))
  return {
    options: [
      ...seen.map(({ name, label, count }) => ({ value: name, label, hint: compact(count) })),
      ...unseen.map((name) => ({ value: name, label: eventLabel(name) })),
    ],
    searching: isLoading,
    nothingFound: trouble,
  }
}

function EventPicker({ label, value, onChange, allowAny }: ComponentProps<Pickers['Event']>) {
  const chosen = value === null ? any : (value ?? null)
  const { options, ...list } = useEventOptions(chosen === null ? [] : [chosen])
  return (
    <Combobox
      aria-label={label}
      placeholder="Choose an event"
      options={allowAny ? [{ value: any, label: 'Any event' }, ...options] : options}
      value={chosen}
      onChange={(next) => next !== null && onChange(next === any ? null : next)}
      allowOther
      required
      {...list}
    />
  )
}

function EventsPicker({ label, values, onChange }: ComponentProps<Pickers['Events']>) {
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

const whomLabels: Record<PropertyRef['type'], string> = {
  event: 'Event',
  person: 'Person',
  session: 'Session',
  group: 'Group',
}

/** A property as the value of an option. */
const textOf = ({ type, key, group }: PropertyRef): string => JSON.stringify([type, key, group])

function PropertyPicker(props: ComponentProps<Pickers['Property']>) {
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

const optionFor = ({ type, key, group, label }: Pick<PropertySeen, 'type' | 'key' | 'group' | 'label'>) => ({
  value: textOf({ type, key, group }),
  label,
  hint: group ?? whomLabels[type],
})

/** What was typed and is in no list is taken for a property of the event. */
function propertyIn(text: string): PropertyRef {
  if (!text.startsWith('["')) return { type: 'event', key: text }
  // options are written by textOf alone, which says what is in them
  const [type, key, group] = JSON.parse(text) as [PropertyRef['type'], string, string | null | undefined]
  return group ? { type, key, group } : { type, key }
}

function CohortsPicker({ label, values, onChange }: ComponentProps<Pickers['Cohorts']>) {
  const { found, isLoading } = usePropertySuggestions(use(Slug), ['cohort'], undefined, true)
  return (
    <MultiCombobox
      aria-label={label}
      placeholder="Choose cohorts"
      options={found.cohorts.map(({ id, name }) => ({ value: id, label: name }))}
      values={values}
      onChange={onChange}
      searching={isLoading}
      nothingFound={found.cohorts.length === 0 ? 'There are no cohorts yet' : undefined}
    />
  )
}

/** Types of groups are told by the properties that groups have. */
function GroupTypePicker({ label, value, onChange }: ComponentProps<Pickers['GroupType']>) {
  const { found, isLoading } = usePropertySuggestions(use(Slug), ['group'], undefined, true)
  const types = [...new Set(found.properties.flatMap(({ group }) => group ?? []))]
  return (
    <Combobox
      aria-label={label}
      placeholder="Which groups?"
      options={types.map((type) => ({ value: type, label: type }))}
      value={value || null}
      onChange={(next) => next !== null && onChange(next)}
      allowOther
      required
      searching={isLoading}
      nothingFound="No groups yet: events name them in $groups"
    />
  )
}
