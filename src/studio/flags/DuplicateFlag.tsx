'use client'

import { Field } from '#ui/form/Field'
import { TextInput } from '#ui/form/TextInput'
import { useNavigation } from '#ui/navigation/Navigation'
import { paths } from '#studio/paths'
import { ChangeDialog } from '#studio/parts/ChangeDialog'
import { duplicateFlag } from './actions'

/** Copies a flag under another key. */
export function DuplicateFlag({
  slug,
  flagKey,
  onClose,
}: {
  slug: string
  flagKey: string
  onClose: () => void
}) {
  const router = useNavigation()
  return (
    <ChangeDialog
      title={`Duplicate ${flagKey}`}
      description="The copy has the same values and rules. It is off in every environment."
      open
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
