'use client'

import { Field } from '#ui/form/Field'
import { TextInput } from '#ui/form/TextInput'
import { AccessForm } from './AccessForm'
import { finishSignIn } from './sign-in'

export function StepForm({ to }: { to: string }) {
  return (
    <AccessForm action={finishSignIn} fields={['code']} submit="Sign in">
      <input type="hidden" name="to" value={to} />
      <Field label="Code" name="code">
        <TextInput mono autoComplete="one-time-code" autoCapitalize="characters" spellCheck={false} />
      </Field>
    </AccessForm>
  )
}
