'use client'

import { CircleQuestionMark, Monitor, Moon, Sun } from 'lucide-react'
import { Icon } from '#ui/Icon'
import { IconButton } from '#ui/IconButton'
import { Menu } from '#ui/overlay/Menu'
import { SearchButton } from '#ui/overlay/SearchButton'
import type { Theme } from './theme'
import { useCommands } from './Commands'

export function Topbar({ theme }: { theme: Theme }) {
  const { openPalette, openHelp } = useCommands()

  return (
    <>
      <SearchButton label="Search or jump to…" shortcut="mod+K" onClick={openPalette} />
      <span className="ml-auto flex items-center gap-0.5">
        <span className="max-md:hidden">
          <IconButton
            label="Keyboard shortcuts"
            shortcut="?"
            side="bottom"
            icon={<Icon of={CircleQuestionMark} />}
            onClick={openHelp}
          />
        </span>
        <ThemeSwitch theme={theme} />
      </span>
    </>
  )
}

const themeIcons = { system: Monitor, light: Sun, dark: Moon }

const themeLabels: Record<Theme, string> = {
  system: 'System',
  light: 'Light',
  dark: 'Dark',
}

const options = (['system', 'light', 'dark'] as const).map((value) => ({ value, label: themeLabels[value] }))

function ThemeSwitch({ theme }: { theme: Theme }) {
  const { setTheme } = useCommands()
  const choose = (value: string) => {
    const chosen = options.find((option) => option.value === value)
    if (chosen) setTheme(chosen.value)
  }

  return (
    <Menu
      align="end"
      trigger={
        <IconButton
          label={`Theme: ${themeLabels[theme]}`}
          side="bottom"
          icon={<Icon of={themeIcons[theme]} />}
        />
      }
      entries={[{ kind: 'choice', label: 'Theme', value: theme, options, onChange: choose }]}
    />
  )
}
