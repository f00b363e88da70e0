'use client'

import { RadioGroup } from '#ui/form/RadioGroup'
import type { Theme } from '#app/(studio)/theme'
import { useCommands } from '../Commands'

const options = [
  { value: 'system', label: 'As the system', hint: 'Follows this device.' },
  { value: 'light', label: 'Light', hint: 'At all times.' },
  { value: 'dark', label: 'Dark', hint: 'At all times.' },
] as const

export function Appearance({ theme }: { theme: Theme }) {
  const { setTheme } = useCommands()

  return <RadioGroup<Theme> label="Theme" boxed options={options} value={theme} onChange={setTheme} />
}
