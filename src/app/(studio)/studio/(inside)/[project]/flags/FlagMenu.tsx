'use client'

import { Archive, Copy, MoreHorizontal } from 'lucide-react'
import { useState } from 'react'
import { Field } from '#ui/form/Field'
import { TextInput } from '#ui/form/TextInput'
import { AlertDialog } from '#ui/overlay/AlertDialog'
import { Icon } from '#ui/Icon'
import { IconButton } from '#ui/IconButton'
import { useNavigation } from '#ui/navigation/Navigation'
import { Menu } from '#ui/overlay/Menu'
import { paths } from '#app/paths'
import { useDirectChange } from '#app/(studio)/Change'
import { ChangeDialog } from '#app/(studio)/ChangeDialog'
import { archiveFlag, duplicateFlag, restoreFlag } from './actions'

/** What is seldom done to a flag. Archiving one that code still asks for takes a second word. */
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
    setWarned(failed !== undefined)
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
      <Duplicate slug={slug} flagKey={flagKey} open={isDuplicating} onClose={() => setDuplicating(false)} />
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

function Duplicate({
  slug,
  flagKey,
  open,
  onClose,
}: {
  slug: string
  flagKey: string
  open: boolean
  onClose: () => void
}) {
  const router = useNavigation()
  return (
    <ChangeDialog
      title={`Duplicate ${flagKey}`}
      description="The copy has the same values and rules. It is off in every environment."
      open={open}
      onClose={onClose}
      change={(form) => duplicateFlag(slug, flagKey, { key: form.get('key') })}
      saved={`${flagKey} duplicated`}
      onDone={({ key }) => {
        onClose()
        router.push(paths.flag(slug, key))
      }}
      submit="Duplicate"
    >
      <Field label="Key" name="key" hint="Used in code. Cannot be changed later.">
        <TextInput
          mono
          defaultValue={`${flagKey.slice(0, 195)}-copy`}
          autoComplete="off"
          spellCheck={false}
        />
      </Field>
    </ChangeDialog>
  )
}
