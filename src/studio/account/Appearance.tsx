'use client'

import { RadioGroup } from '#ui/form/RadioGroup'
import type { Theme } from '#studio/shell/theme'
import { useCommands } from '#studio/shell/Commands'

const options = [
  { value: 'system', label: 'System', hint: 'Follows this device.' },
  { value: 'light', label: 'Light', hint: 'Always light.' },
  { value: 'dark', label: 'Dark', hint: 'Always dark.' },
] as const

export function Appearance({ theme }: { theme: Theme }) {
  const { setTheme } = useCommands()

  return <RadioGroup<Theme> label="Theme" boxed options={options} value={theme} onChange={setTheme} />
}
