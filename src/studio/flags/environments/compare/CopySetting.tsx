'use client'

import { MoreHorizontal } from 'lucide-react'
import { useState } from 'react'
import { Icon } from '#ui/Icon'
import { IconButton } from '#ui/IconButton'
import { AlertDialog } from '#ui/overlay/AlertDialog'
import { Menu } from '#ui/overlay/Menu'
import { useDirectChange } from '#studio/parts/Change'
import { copySetting, revertFlag } from '../../actions'

/** A copy of a flag's setting, and what it changes. */
interface Copy {
  from: string
  to: string
  changes: readonly string[]
}

interface CopySettingProps {
  slug: string
  flagKey: string
  /** The version that is compared: the flag must not have changed meanwhile. */
  version: number
  copies: readonly Copy[]
  whyNot: string | undefined
}

/** Copies a flag's setting from one of the compared environments to the other. */
export function CopySetting({ slug, flagKey, version, copies, whyNot }: CopySettingProps) {
  const { make, question } = useDirectChange()
  const [chosen, setChosen] = useState<Copy>()
  const [isAsking, setAsking] = useState(false)
  const { from, to, changes } = chosen ?? { from: '', to: '', changes: [] }

  const undo = () => void make(() => revertFlag(slug, flagKey, version), { saved: `${to} is as before` })

  return (
    <>
      {question}
      <Menu
        align="end"
        trigger={<IconButton label={`Copy the setting of ${flagKey}`} icon={<Icon of={MoreHorizontal} />} />}
        entries={copies.map((copy) => ({
          label: `Copy ${copy.from} to ${copy.to}…`,
          disabledReason: whyNot,
          onSelect: () => {
            setChosen(copy)
            setAsking(true)
          },
        }))}
      />
      <AlertDialog
        open={isAsking}
        onOpenChange={setAsking}
        destructive={false}
        title={`Copy ${flagKey} from ${from} to ${to}?`}
        body={
          <>
            <p>Takes effect immediately in {to}:</p>
            <ul className="mt-2 list-disc pl-5">
              {changes.map((change) => (
                <li key={change} className="wrap-anywhere">
                  {change}
                </li>
              ))}
            </ul>
          </>
        }
        confirmLabel={`Copy to ${to}`}
        onConfirm={() =>
          make(() => copySetting(slug, flagKey, { from, to, version }), {
            saved: `${flagKey} copied to ${to}`,
            undo,
          })
        }
      />
    </>
  )
}
