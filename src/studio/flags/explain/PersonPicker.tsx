'use client'

import { useState } from 'react'
import { Combobox } from '#ui/form/Combobox'
import { usePersonSuggestions } from '#studio/filters/use-suggestions'

interface PersonPickerProps {
  slug: string
  /** A distinct id, which need not be one of a known person. */
  value: string
  onChange: (distinctId: string) => void
}

/** Finds a person while a member types, and takes any distinct id. */
export function PersonPicker({ slug, value, onChange }: PersonPickerProps) {
  const [typed, setTyped] = useState('')
  const [isNeeded, setNeeded] = useState(false)
  const { found, isLoading, trouble } = usePersonSuggestions(slug, typed, isNeeded)

  return (
    <div onFocus={() => setNeeded(true)}>
      <Combobox
        keepsTyped
        placeholder="Name, e-mail or distinct id"
        options={found.map(({ distinctId, name }) => ({
          value: distinctId,
          label: name,
          hint: name === distinctId ? undefined : distinctId,
        }))}
        value={value === '' ? null : value}
        onChange={(next) => onChange(next ?? '')}
        onSearch={setTyped}
        searching={isLoading}
        nothingFound={trouble ?? 'No known person. The id is used as typed.'}
      />
    </div>
  )
}
