'use client'

import { TextInput, type TextInputProps } from '#ui/form/TextInput'

/** Not `type="email"`: browsers would object in words of their own, before ours are asked. */
export function EmailInput(props: Omit<TextInputProps, 'type' | 'inputMode'>) {
  return (
    <TextInput
      autoComplete="username"
      {...props}
      inputMode="email"
      autoCapitalize="none"
      spellCheck={false}
    />
  )
}
