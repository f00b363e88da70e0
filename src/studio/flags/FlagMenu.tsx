'use client'

import { Archive, Copy, MoreHorizontal } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { AlertDialog } from '#ui/overlay/AlertDialog'
import { Icon } from '#ui/Icon'
import { IconButton } from '#ui/IconButton'
import { Menu } from '#ui/overlay/Menu'
import { useDirectChange } from '#studio/parts/Change'
import { archiveFlag, restoreFlag } from './actions'

const DuplicateFlag = lazy(async () => ({ default: (await import('./DuplicateFlag')).DuplicateFlag }))

/** The rarely used actions on a flag. Archiving one that code still requests asks for a second confirmation. */
export function FlagMenu({
  slug,
  flagKey,
  whyNot,
}: {
  slug: string
  flagKey: string
  whyNot: string | undefined
}) {
  const { make, question } = useDirectChange()
  const [isAsking, setAsking] = useState(false)
  const [isDuplicating, setDuplicating] = useState(false)
  const [isWarned, setWarned] = useState(false)

  async function archive() {
    const failed = await make(() => archiveFlag(slug, flagKey, isWarned), {
      saved: `${flagKey} archived`,
      leavesList: true,
      undo: () => void make(() => restoreFlag(slug, flagKey), { saved: `${flagKey} restored` }),
    })
    setWarned(failed?.fields.includes('anyway') ?? false)
    return failed
  }

  return (
    <>
      {question}
      <Menu
        align="end"
        trigger={<IconButton label={`More about ${flagKey}`} icon={<Icon of={MoreHorizontal} />} />}
        entries={[
          {
            label: 'Duplicate…',
            icon: <Icon of={Copy} />,
            onSelect: () => setDuplicating(true),
            disabledReason: whyNot,
          },
          { kind: 'separator' },
          {
            label: 'Archive…',
            icon: <Icon of={Archive} />,
            onSelect: () => setAsking(true),
            destructive: true,
            disabledReason: whyNot,
          },
        ]}
      />
      {isDuplicating && (
        <Suspense>
          <DuplicateFlag slug={slug} flagKey={flagKey} onClose={() => setDuplicating(false)} />
        </Suspense>
      )}
      <AlertDialog
        open={isAsking}
        onOpenChange={(open) => {
          setAsking(open)
          setWarned(false)
        }}
        title={`Archive ${flagKey}?`}
        body="SDKs get no value for it. It can be restored with its history."
        confirmLabel={isWarned ? 'Archive anyway' : 'Archive flag'}
        onConfirm={archive}
      />
    </>
  )
}
