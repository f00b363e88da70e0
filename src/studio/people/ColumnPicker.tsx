'use client'

import { Columns3, X } from 'lucide-react'
import { useState } from 'react'
import { propertyLabel } from '#events/taxonomy'
import { Reorderable } from '#studio/insights/form/Reorderable'
import { Button } from '#ui/Button'
import { Combobox } from '#ui/form/Combobox'
import { Field } from '#ui/form/Field'
import { Icon } from '#ui/Icon'
import { IconButton } from '#ui/IconButton'
import { Dialog, DialogClose } from '#ui/overlay/Dialog'
import { usePropertySuggestions } from '#studio/filters/use-suggestions'
import {
  columnLabel,
  columnOfProperty,
  columnsCookie,
  columnsText,
  fixedColumns,
  usualColumns,
} from './columns'

const yearSeconds = 365 * 24 * 60 * 60

/** Chooses the columns of the list and their order. This browser remembers them. */
export function ColumnPicker({
  slug,
  columns,
  onChoose,
}: {
  slug: string
  columns: readonly string[]
  onChoose: (columns: readonly string[]) => void
}) {
  const [isOpen, setOpen] = useState(false)
  const [draft, setDraft] = useState(columns)

  function show(next: boolean) {
    if (next) setDraft(columns)
    setOpen(next)
  }
  function apply() {
    document.cookie = `${columnsCookie}=${encodeURIComponent(columnsText(draft))}; path=/studio/${slug}/people; max-age=${yearSeconds}; samesite=lax`
    setOpen(false)
    onChoose(draft)
  }

  return (
    <Dialog
      title="Columns"
      size="sm"
      open={isOpen}
      onOpenChange={show}
      trigger={<Button icon={<Icon of={Columns3} />}>Columns</Button>}
      footer={
        <>
          <Button variant="quiet" onClick={() => setDraft(usualColumns)}>
            Reset
          </Button>
          <DialogClose>
            <Button>Cancel</Button>
          </DialogClose>
          <Button
            variant="primary"
            onClick={apply}
            disabledReason={draft.length === 0 ? 'Choose a column first.' : undefined}
          >
            Apply
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <ChosenColumns columns={draft} onChange={setDraft} />
        <AddColumn
          slug={slug}
          chosen={draft}
          isOpen={isOpen}
          onAdd={(column) => setDraft([...draft, column])}
        />
      </div>
    </Dialog>
  )
}

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
  isOpen,
  onAdd,
}: {
  slug: string
  chosen: readonly string[]
  isOpen: boolean
  onAdd: (column: string) => void
}) {
  const suggestions = usePropertySuggestions(slug, ofPersons, undefined, isOpen)
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
