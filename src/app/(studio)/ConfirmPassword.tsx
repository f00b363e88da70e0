'use client'

import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { Button } from '#ui/Button'
import { Dialog, DialogClose } from '#ui/overlay/Dialog'
import { Field } from '#ui/form/Field'
import { Form } from '#ui/form/Form'
import { FormError } from '#ui/form/FormError'
import { PasswordInput } from '#ui/form/PasswordInput'
import { type ActionResult, type SortedProblems, sortProblems } from './action-result'
import { confirmByProvider, confirmPassword, type WaysToConfirm, waysToConfirm } from './confirm-password'
import { withNetworkErrors } from './with-network-errors'

export interface PasswordConfirmation {
  /** Makes a change; where it asks for the password, asks the person and makes it again. */
  withConfirmation: <Done>(change: () => Promise<ActionResult<Done>>) => Promise<ActionResult<Done>>
  /** Goes inside the form or dialog that makes the change: a dialog above a dialog must be a part of it. */
  question: ReactNode
}

/** A cancelled dialog shows no further message. */
const cancelled = { done: false, problems: [] } as const

interface Question {
  ways: WaysToConfirm
  answer: (isGiven: boolean) => void
}

/** "Is it still you?" for changes that a stranger at an unlocked screen must not make. */
export function usePasswordConfirmation(): PasswordConfirmation {
  const [asked, setAsked] = useState<Question>()

  async function confirmed<Done>(change: () => Promise<ActionResult<Done>>): Promise<ActionResult<Done>> {
    const answer = await withNetworkErrors(change)
    if (answer.done || !answer.needsPassword) return answer
    const ways = await withNetworkErrors(waysToConfirm)
    if (!ways.done) return ways
    const isGiven = await new Promise<boolean>((resolve) => setAsked({ ways, answer: resolve }))
    setAsked(undefined)
    return isGiven ? await withNetworkErrors(change) : { ...cancelled, problems: [] }
  }

  return { withConfirmation: confirmed, question: <ConfirmDialog asked={asked} /> }
}

function ConfirmDialog({ asked }: { asked: Question | undefined }) {
  const id = useId()
  // not a transition: it would wait for the change that waits for it
  const [isPending, setPending] = useState(false)
  const hasPassword = asked?.ways.hasPassword ?? true

  return (
    <Dialog
      title="Confirm it is you"
      description={
        hasPassword
          ? 'It has been a while since you gave your password, and this change wants to be sure.'
          : 'It has been a while since you signed in, and this change wants to be sure.'
      }
      size="sm"
      open={asked !== undefined}
      onOpenChange={(next) => !next && asked?.answer(false)}
      footer={
        <>
          <DialogClose>
            <Button>Cancel</Button>
          </DialogClose>
          {hasPassword && (
            <Button type="submit" variant="primary" form={id} busy={isPending}>
              Confirm
            </Button>
          )}
        </>
      }
    >
      {hasPassword && <PasswordForm id={id} onGiven={() => asked?.answer(true)} setPending={setPending} />}
      {asked?.ways.provider && <ByProvider name={asked.ways.provider} hasPassword={hasPassword} />}
      {!hasPassword && !asked?.ways.provider && (
        <p>
          Your account has no password. Sign out, choose one under &quot;Forgot your password?&quot;, and sign
          in with it.
        </p>
      )}
    </Dialog>
  )
}

function ByProvider({ name, hasPassword }: { name: string; hasPassword: boolean }) {
  const [isPending, setPending] = useState(false)
  const [message, setMessage] = useState<string>()

  async function leave() {
    setPending(true)
    const begun = await withNetworkErrors(() => confirmByProvider(location.pathname + location.search))
    if (begun.done) return location.assign(begun.address)
    setPending(false)
    setMessage(begun.problems[0]?.message)
  }

  return (
    <div className={`flex flex-col items-start gap-3 ${hasPassword ? 'mt-5' : ''}`}>
      <p>
        {hasPassword
          ? `Or sign in with ${name} again.`
          : `You have no password here. Sign in with ${name} again, which confirms it is you.`}{' '}
        You come back to this page, and make the change once more.
      </p>
      {message && <FormError title={message} />}
      <Button busy={isPending} onClick={() => void leave()}>
        Sign in with {name} again
      </Button>
    </div>
  )
}

function PasswordForm({
  id,
  onGiven,
  setPending,
}: {
  id: string
  onGiven: () => void
  setPending: (isPending: boolean) => void
}) {
  const [{ errors, messages }, setSorted] = useState<SortedProblems>({ errors: {}, messages: [] })

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    // React passes what happens in a dialog on to the form that opened it
    event.stopPropagation()
    const formData = new FormData(event.currentTarget)
    setPending(true)
    const answer = await withNetworkErrors(() => confirmPassword(formData))
    setPending(false)
    if (answer.done) onGiven()
    else setSorted(sortProblems(answer.problems, (name) => formData.has(name)))
  }

  return (
    <Form id={id} errors={errors} onSubmit={(event) => void submit(event)}>
      <Field label="Your password" name="password" error={messages[0]}>
        <PasswordInput />
      </Field>
    </Form>
  )
}
