'use client'

import { Search } from 'lucide-react'
import { useState } from 'react'
import { Icon } from '#ui/Icon'
import { TextInput } from '#ui/form/TextInput'
import { useDebouncedCallback } from './use-debounced-callback'

const debounceMs = 250

interface SearchBoxProps {
  label: string
  placeholder: string
  value: string
  /** Called with the text after a pause in typing. */
  onSearch: (search: string) => void
}

/** Filters a list whose filter is in the address. */
export function SearchBox({ label, placeholder, value, onSearch }: SearchBoxProps) {
  const [typed, setTyped] = useState(value)
  const [searched, setSearched] = useState(value)
  // the address may change by other means, such as a link that clears the filters
  if (value !== searched) {
    setSearched(value)
    setTyped(value)
  }
  const { later, settle } = useDebouncedCallback(debounceMs)

  function type(next: string) {
    setTyped(next)
    later(() => {
      setSearched(next.trim())
      onSearch(next.trim())
    })
  }
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={placeholder}
      icon={<Icon of={Search} />}
      value={typed}
      onChange={({ target }) => type(target.value)}
      onBlur={settle}
    />
  )
}
