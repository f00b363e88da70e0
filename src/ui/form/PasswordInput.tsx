'use client'

import { Eye, EyeOff } from 'lucide-react'
import { useState } from 'react'
import { Icon } from '../Icon'
import { IconButton } from '../IconButton'
import { TextInput, type TextInputProps } from './TextInput'

/** A password that can be looked at, so that it is typed right the first time. */
export function PasswordInput({
  newPassword = false,
  ...props
}: Omit<TextInputProps, 'type' | 'action' | 'autoComplete'> & {
  /** Asks the password manager for a new one. */
  newPassword?: boolean
}) {
  const [isShown, setShown] = useState(false)

  return (
    <TextInput
      {...props}
      type={isShown ? 'text' : 'password'}
      autoComplete={newPassword ? 'new-password' : 'current-password'}
      autoCapitalize="off"
      spellCheck={false}
      action={
        <IconButton
          size="sm"
          label={isShown ? 'Hide password' : 'Show password'}
          icon={<Icon of={isShown ? EyeOff : Eye} />}
          onClick={() => setShown(!isShown)}
        />
      }
    />
  )
}
