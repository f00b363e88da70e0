'use client'

import { Field } from '../../../../../ui/Field'
import { PasswordInput } from '../../../../../ui/PasswordInput'
import { EmailInput } from '../../../EmailInput'
import { DoorForm } from '../DoorForm'
import { signIn } from './sign-in'

export function SignInForm({ to }: { to: string }) {
  return (
    <DoorForm action={signIn} fields={['email', 'password']} submit="Sign in">
      <input type="hidden" name="to" value={to} />
      <Field label="E-mail" name="email">
        <EmailInput />
      </Field>
      <Field label="Password" name="password">
        <PasswordInput />
      </Field>
    </DoorForm>
  )
}
