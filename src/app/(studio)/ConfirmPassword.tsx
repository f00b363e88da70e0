'use client'

import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { Button } from '../../ui/Button'
import { Dialog, DialogClose } from '../../ui/Dialog'
import { Field } from '../../ui/Field'
import { Form } from '../../ui/Form'
import { PasswordInput } from '../../ui/PasswordInput'
import { type Answer, type Sorted, sortProblems } from './answer'
import { confirmPassword } from './confirm-password'
import { reached } from './reached'

export interface Confirmed {
  /** Makes a change; where it asks for the password, asks the person and makes it again. */
  confirmed: <Done>(change: () => Promise<Answer<Done>>) => Promise<Answer<Done>>
  /** Goes inside the form or dialog that makes the change: a dialog above a dialog must be a part of it. */
  question: ReactNode
}

/** Somebody who thought better of it has been told enough. */
const leftAlone = { done: false, problems: [] } as const

/** "Is it still you?" for changes that a stranger at an unlocked screen must not make. */
export function useConfirmed(): Confirmed {
  const [answerTo, setAnswerTo] = useState<(isGiven: boolean) => void>()

  async function confirmed<Done>(change: () => Promise<Answer<Done>>): Promise<Answer<Done>> {
    const answer = await reached(change)
    if (answer.done || !answer.needsPassword) return answer
    const isGiven = await new Promise<boolean>((resolve) => setAnswerTo(() => resolve))
    setAnswerTo(undefined)
    return isGiven ? await reached(change) : { ...leftAlone, problems: [] }
  }

  const question = (
    <PasswordQuestion open={answerTo !== undefined} answer={(isGiven) => answerTo?.(isGiven)} />
  )
  return { confirmed, question }
}

function PasswordQuestion({ open, answer }: { open: boolean; answer: (isGiven: boolean) => void }) {
  const id = useId()
  // not a transition: it would wait for the change that waits for it
  const [isPending, setPending] = useState(false)

  return (
    <Dialog
      title="Confirm it is you"
      description="It has been a while since you gave your password, and this change wants to be sure."
      size="sm"
      open={open}
      onOpenChange={(next) => !next && answer(false)}
      footer={
        <>
          <DialogClose>
            <Button>Cancel</Button>
          </DialogClose>
          <Button type="submit" variant="primary" form={id} busy={isPending}>
            Confirm
          </Button>
        </>
      }
    >
      <PasswordForm id={id} onGiven={() => answer(true)} setPending={setPending} />
    </Dialog>
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
  const [{ errors, messages }, setSorted] = useState<Sorted>({ errors: {}, messages: [] })

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    // React passes what happens in a dialog on to the form that opened it
    event.stopPropagation()
    const given = new FormData(event.currentTarget)
    setPending(true)
    const answer = await reached(() => confirmPassword(given))
    setPending(false)
    if (answer.done) onGiven()
    else setSorted(sortProblems(answer.problems, (name) => given.has(name)))
  }

  return (
    <Form id={id} errors={errors} onSubmit={(event) => void submit(event)}>
      <Field label="Your password" name="password" error={messages[0]}>
        <PasswordInput />
      </Field>
    </Form>
  )
}
