'use client'

import { useState } from 'react'
import { Field } from '#ui/form/Field'
import { Notice } from '#ui/page/Notice'
import type { ActionResult } from '#studio/parts/action-result'
import { EmailInput } from '#studio/parts/EmailInput'
import { AccessForm } from './AccessForm'
import { askForReset } from './forgot'

export function ForgotForm() {
  const [isAsked, setAsked] = useState(false)

  async function ask(previous: ActionResult | undefined, form: FormData): Promise<ActionResult> {
    const answer = await askForReset(previous, form)
    setAsked(answer.done)
    return answer
  }

  if (isAsked)
    return (
      <Notice tone="success" title="Check your inbox">
        If a member has this address, we sent a link to it.
      </Notice>
    )
  return (
    <AccessForm action={ask} fields={['email']} submit="Send link">
      <Field label="E-mail" name="email">
        <EmailInput />
      </Field>
    </AccessForm>
  )
}
