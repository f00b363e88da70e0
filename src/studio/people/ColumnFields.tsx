'use client'

import { X } from 'lucide-react'
import { propertyLabel } from '#events/taxonomy'
import { Reorderable } from '#studio/insights/form/Reorderable'
import { Combobox } from '#ui/form/Combobox'
import { Field } from '#ui/form/Field'
import { Icon } from '#ui/Icon'
import { IconButton } from '#ui/IconButton'
import { usePropertySuggestions } from '#studio/filters/use-suggestions'
import { columnLabel, columnOfProperty, fixedColumns } from './columns'

interface ColumnFieldsProps {
  slug: string
  columns: readonly string[]
  onChange: (columns: readonly string[]) => void
}

/** The chosen columns in their order, and a field that adds one. */
export const ColumnFields = ({ slug, columns, onChange }: ColumnFieldsProps) => (
  <div className="flex flex-col gap-4">
    <ChosenColumns columns={columns} onChange={onChange} />
    <AddColumn slug={slug} chosen={columns} onAdd={(column) => onChange([...columns, column])} />
  </div>
)

function ChosenColumns({
  columns,
  onChange,
}: {
  columns: readonly string[]
  onChange: (columns: readonly string[]) => void
}) {
  return (
    <Reorderable
      rows={columns}
      onChange={onChange}
      keyOf={(column) => column}
      labelOf={(index) => columnLabel(columns[index] ?? '')}
    >
      {(column) => (
        <span className="flex items-center justify-between gap-2">
          <span className="min-w-0 truncate">{columnLabel(column)}</span>
          <IconButton
            size="sm"
            label={`Remove ${columnLabel(column)}`}
            icon={<Icon of={X} />}
            onClick={() => onChange(columns.filter((one) => one !== column))}
          />
        </span>
      )}
    </Reorderable>
  )
}

const ofPersons = ['person'] as const

function AddColumn({
  slug,
  chosen,
  onAdd,
}: {
  slug: string
  chosen: readonly string[]
  onAdd: (column: string) => void
}) {
  const suggestions = usePropertySuggestions(slug, ofPersons, undefined, true)
  const properties = suggestions.found.properties.map(({ key }) => ({
    value: columnOfProperty(key),
    label: propertyLabel(key),
  }))
  const options = [...fixedColumns.map(({ key, label }) => ({ value: key, label })), ...properties]
  return (
    <Field label="Add column">
      <Combobox
        placeholder="Find a property"
        options={options.filter(({ value }) => !chosen.includes(value))}
        value={null}
        onChange={(column) => column !== null && onAdd(column)}
        searching={suggestions.isLoading}
        nothingFound={suggestions.trouble}
      />
    </Field>
  )
}
