'use client'

import { NewPassword } from './NewPassword'
import { AccessForm } from './AccessForm'
import { resetPassword } from './reset'

export function ResetForm() {
  return (
    <AccessForm
      action={(previous, form) => resetPassword(location.hash.slice(1), previous, form)}
      fields={['password']}
      submit="Save new password"
    >
      <NewPassword label="New password" context={[]} />
    </AccessForm>
  )
}
