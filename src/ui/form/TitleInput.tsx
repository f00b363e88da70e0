'use client'

import { Field } from '@base-ui/react/field'
import { FieldNotes } from './Field'

/** The title of what is being written: a line as large as the title it will be. */
export function TitleInput({
  label,
  value,
  onChange,
  placeholder,
  error,
}: {
  label: string
  value: string
  onChange: (value: string) => void
  placeholder?: string
  error?: string | undefined
}) {
  return (
    <Field.Root invalid={error ? true : undefined} className="flex flex-col gap-1.5">
      <Field.Control
        aria-label={label}
        value={value}
        placeholder={placeholder}
        autoComplete="off"
        onValueChange={onChange}
        className="w-full rounded-sm bg-transparent py-1 text-2xl font-semibold placeholder:text-faint"
      />
      <FieldNotes error={error} />
    </Field.Root>
  )
}
