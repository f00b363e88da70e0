'use client'

import { type FormEvent, useState } from 'react'
import { codeOfValues, valueName } from '#events/value-names'
import {
  type DimensionName,
  dimensionOperators,
  isDimensionName,
  isDimensionOperator,
  wordsOf,
} from '#insights/text/dimension-words'
import { CountryFlag } from '#ui/CountryFlag'
import { Combobox, type ComboboxOption, MultiCombobox } from '#ui/form/Combobox'
import { Field } from '#ui/form/Field'
import { Select } from '#ui/form/Select'
import { number } from '#ui/format'
import { useNavigation } from '#ui/navigation/Navigation'
import { FormDialog } from '#ui/overlay/FormDialog'
import { useValueSuggestions } from '#studio/filters/use-suggestions'
import { filterDimensions } from './panels'
import { type Chip, replacedChip, type WebQuery } from './web-query'

interface FilterDialogProps {
  slug: string
  query: WebQuery
  /** The chip that is changed, or none for a new one; closed if absent. */
  editing: { chip?: Chip } | undefined
  close: () => void
  to: (changed: WebQuery) => string
}

const empty: Chip = { dimension: 'page', operator: 'is', values: [] }

/** Narrows the page by typed values, besides the rows that can be pressed. */
export function FilterDialog({ slug, query, editing, close, to }: FilterDialogProps) {
  const navigation = useNavigation()
  const [draft, setDraft] = useState(editing?.chip ?? empty)
  const [shown, setShown] = useState(editing)
  if (shown !== editing) {
    setShown(editing)
    if (editing) setDraft(editing.chip ?? empty)
  }

  function apply(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    close()
    navigation.push(to(replacedChip(query, editing?.chip, draft)), { scroll: false })
  }

  return (
    <FormDialog
      title={shown?.chip ? 'Edit filter' : 'Add filter'}
      open={editing !== undefined}
      onOpenChange={(isOpen) => !isOpen && close()}
      submit="Apply filter"
      incomplete={draft.values.length === 0 ? 'Choose a value' : undefined}
      form={{ onSubmit: apply }}
    >
      <div className="grid gap-3 sm:grid-cols-2">
        <Field label="Property">
          <Combobox
            options={properties}
            value={draft.dimension}
            onChange={(name) =>
              name && isDimensionName(name) && setDraft({ ...draft, dimension: name, values: [] })
            }
            required
          />
        </Field>
        <Field label="Comparison">
          <Select
            options={comparisons}
            value={draft.operator}
            onChange={(operator) => isDimensionOperator(operator) && setDraft({ ...draft, operator })}
          />
        </Field>
      </div>
      <Field label="Values" hint="Any of them. Values of the last 30 days are suggested.">
        <DimensionValues
          key={draft.dimension}
          slug={slug}
          dimension={draft.dimension}
          values={draft.values}
          onChange={(values) => setDraft({ ...draft, values })}
        />
      </Field>
    </FormDialog>
  )
}

const comparisons = Object.entries(dimensionOperators).map(([value, { label }]) => ({ value, label }))

const properties: ComboboxOption[] = filterDimensions.map((name) => ({
  value: name,
  label: wordsOf(name).label,
}))

interface DimensionValuesProps {
  slug: string
  dimension: DimensionName
  values: readonly string[]
  onChange: (values: string[]) => void
}

function DimensionValues({ slug, dimension, values, onChange }: DimensionValuesProps) {
  const [typed, setTyped] = useState('')
  const words = wordsOf(dimension)
  const event = words.of === 'event' ? (words.names[0] ?? null) : null
  const { found, isLoading } = useValueSuggestions(slug, { type: words.of, key: words.key }, typed, event)
  return (
    <MultiCombobox
      placeholder="Type or choose"
      options={found.map(({ value, label, count }) => ({
        ...optionOf(dimension, value),
        label,
        hint: count > 0 ? number(count) : 'No events with it',
      }))}
      shownOption={(value) => optionOf(dimension, value)}
      otherHint="No events with it"
      values={values}
      onChange={onChange}
      onSearch={setTyped}
      searching={isLoading}
      allowOther
    />
  )
}

const optionOf = (dimension: DimensionName, value: string): ComboboxOption => ({
  value,
  label: valueName(dimension, value),
  icon: codeOfValues(dimension) === 'country' ? <CountryFlag country={value} /> : undefined,
})
