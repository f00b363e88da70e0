'use client'

import { Eye, EyeOff } from 'lucide-react'
import { useState } from 'react'
import { CopyButton } from './CopyButton'
import { Field } from '../form/Field'
import { Icon } from '../Icon'
import { IconButton } from '../IconButton'
import { TextInput } from '../form/TextInput'

type CopyFieldProps = {
  label: string
  labelHidden?: boolean
  value: string
  hint?: string
  /** Masks the value until it is revealed. Copying works either way. */
  secret?: boolean
}

/** A key, an address, a snippet of one line: to be copied, not changed. */
export function CopyField({ label, labelHidden, value, hint, secret = false }: CopyFieldProps) {
  const [isHidden, setHidden] = useState(secret)

  return (
    <Field label={label} labelHidden={labelHidden} hint={hint}>
      <TextInput
        readOnly
        mono
        value={isHidden ? '•'.repeat(Math.min(value.length, 32)) : value}
        onFocus={(event) => event.target.select()}
        action={
          <>
            {secret && (
              <IconButton
                size="sm"
                label={isHidden ? `Show ${label}` : `Hide ${label}`}
                icon={<Icon of={isHidden ? Eye : EyeOff} />}
                onClick={() => setHidden(!isHidden)}
              />
            )}
            <CopyButton text={value} label={`Copy ${label}`} />
          </>
        }
      />
    </Field>
  )
}
