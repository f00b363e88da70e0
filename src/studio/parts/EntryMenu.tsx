'use client'

import { Copy, MoreHorizontal } from 'lucide-react'
import { Icon } from '#ui/Icon'
import { IconButton } from '#ui/IconButton'
import { useNavigation } from '#ui/navigation/Navigation'
import { Menu } from '#ui/overlay/Menu'
import { useToast } from '#ui/overlay/Toast'
import type { ActionResult } from './action-result'
import { archiveEntry } from './archive-entry'
import { useDirectChange } from './Change'

interface EntryMenuProps {
  name: string
  isArchived: boolean
  whyNot: string | undefined
  whyNotArchive?: string | undefined
  archive: () => Promise<ActionResult>
  restore: () => Promise<ActionResult>
  duplicate: () => Promise<ActionResult<{ id: string }>>
  /** The address of the copy. */
  pathOf: (id: string) => string
}

/** Duplicates, archives and restores an entry of a list. */
export function EntryMenu({ name, isArchived, whyNot, whyNotArchive = whyNot, ...actions }: EntryMenuProps) {
  const router = useNavigation()
  const showToast = useToast()
  const { make, question } = useDirectChange()

  async function run<Done>(
    change: () => Promise<ActionResult<Done>>,
    then: { saved: string; undo?: () => void; leavesList?: boolean; onDone?: (done: Done) => void },
  ) {
    const failed = await make(change, then)
    if (failed) showToast({ title: failed.error, tone: 'danger' })
  }
  const restore = () => void run(actions.restore, { saved: `${name} restored`, leavesList: true })
  const archive = () =>
    void run(actions.archive, { saved: `${name} archived`, undo: restore, leavesList: true })
  const duplicate = () =>
    void run(actions.duplicate, {
      saved: `${name} duplicated`,
      onDone: ({ id }) => router.push(actions.pathOf(id)),
    })

  return (
    <>
      {question}
      <Menu
        align="end"
        trigger={<IconButton label={`More about ${name}`} icon={<Icon of={MoreHorizontal} />} />}
        entries={[
          { label: 'Duplicate', icon: <Icon of={Copy} />, onSelect: duplicate, disabledReason: whyNot },
          { kind: 'separator' },
          archiveEntry({ isArchived, archive, restore, whyNot: whyNotArchive }),
        ]}
      />
    </>
  )
}
