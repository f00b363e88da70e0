import { Archive, ArchiveRestore } from 'lucide-react'
import { Icon } from '#ui/Icon'
import type { MenuEntry } from '#ui/overlay/Menu'

interface ArchiveEntryOptions {
  isArchived: boolean
  archive: () => void
  restore: () => void
  whyNot: string | undefined
}

/** The last line of a menu: away with it, or back. */
export const archiveEntry = ({ isArchived, archive, restore, whyNot }: ArchiveEntryOptions): MenuEntry =>
  isArchived
    ? {
        label: 'Restore',
        icon: <Icon of={ArchiveRestore} />,
        onSelect: restore,
        disabledReason: whyNot,
      }
    : {
        label: 'Archive',
        icon: <Icon of={Archive} />,
        onSelect: archive,
        disabledReason: whyNot,
        destructive: true,
      }
