'use client'

import { useState } from 'react'
import { deferred } from '#ui/deferral/deferred'
import { WhenOpened } from '#ui/deferral/WhenOpened'
import { Popover } from '#ui/overlay/Popover'
import { Switcher } from '#ui/page/Sidebar'
import { LogoGlyph } from './Brand'
import type { ShellProject } from './shell'

export interface ProjectSwitcherProps {
  projects: readonly ShellProject[]
  current?: ShellProject
  mayCreate: boolean
}

/** The search in it needs the program of fields, which many pages do without. */
const projectChoices = deferred(async () => (await import('./ProjectChoices')).ProjectChoices)

/** The current project, with a menu of all others. */
export function ProjectSwitcher(choices: ProjectSwitcherProps) {
  const [isOpen, setOpen] = useState(false)

  return (
    <Popover
      label="Projects"
      labelHidden
      flush
      open={isOpen}
      onOpenChange={setOpen}
      content={projectChoices}
      trigger={
        <Switcher
          aria-label={`${choices.current?.name ?? 'No project'}. Switch project`}
          sign={<LogoGlyph />}
          name={choices.current?.name ?? 'Tilth'}
        />
      }
    >
      <WhenOpened isOpen={isOpen} load={projectChoices} onFailure={() => setOpen(false)}>
        {(ProjectChoices) => <ProjectChoices {...choices} close={() => setOpen(false)} />}
      </WhenOpened>
    </Popover>
  )
}
