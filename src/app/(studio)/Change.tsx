'use client'

import { createContext, type FormEvent, type ReactNode, use, useState, useTransition } from 'react'
import { Button, type ButtonProps } from '../../ui/Button'
import { Form } from '../../ui/Form'
import { FormError } from '../../ui/FormError'
import { useToast } from '../../ui/Toast'
import { type Answer, type Sorted, sortProblems } from './answer'
import { useConfirmed } from './ConfirmPassword'

interface ChangeSettings<Done> {
  change: (form: FormData) => Promise<Answer<Done>>
  /** What the corner of the page says once it is done. */
  saved?: string
  onDone?: (done: Done) => void
}

const unproblematic: Sorted = { errors: {}, messages: [] }

/** A change made by a form: what the form is given, whether the server is at it, and what it had to say. */
export function useChange<Done>({ change, saved, onDone }: ChangeSettings<Done>) {
  const say = useToast()
  const { confirmed, question } = useConfirmed()
  const [{ errors, messages }, setSorted] = useState(unproblematic)
  const [isPending, startTransition] = useTransition()

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    event.stopPropagation()
    const { elements } = event.currentTarget
    const given = new FormData(event.currentTarget)
    if (isPending) return
    startTransition(async () => {
      const answer = await confirmed(() => change(given))
      setSorted(
        answer.done
          ? unproblematic
          : sortProblems(answer.problems, (name) => elements.namedItem(name) !== null),
      )
      if (!answer.done) return
      if (saved) say({ title: saved, tone: 'success' })
      onDone?.(answer)
    })
  }

  return {
    form: { errors, onSubmit: submit },
    isPending,
    notes: <Notes messages={messages}>{question}</Notes>,
    /** For a dialog that is opened anew. */
    forget: () => setSorted(unproblematic),
  }
}

function Notes({ messages, children }: { messages: string[]; children: ReactNode }) {
  return (
    <>
      {messages.map((message) => (
        <FormError key={message} title={message} />
      ))}
      {children}
    </>
  )
}

interface Said<Done> {
  saved?: string
  /** The way back, where there is a cheap one. */
  undo?: () => void
  onDone?: (done: Done) => void
}

/** A change made without a form: by a menu, a select, the answer to a question. */
export function useDirectChange() {
  const say = useToast()
  const { confirmed, question } = useConfirmed()

  /** Answers like a question's `onConfirm`: nothing when it was done, else what stood in the way. */
  async function make<Done>(
    change: () => Promise<Answer<Done>>,
    { saved, undo, onDone }: Said<Done>,
  ): Promise<{ error: string } | undefined> {
    const answer = await confirmed(change)
    if (!answer.done) return { error: answer.problems.map(({ message }) => message).join(' ') }
    if (saved) say({ title: saved, tone: 'success', action: undo && { label: 'Undo', onSelect: undo } })
    onDone?.(answer)
    return undefined
  }

  return { make, question }
}

const Pending = createContext(false)

/** A form on a page: its fields, and a Submit among them. */
export function ChangeForm<Done>({ children, ...settings }: ChangeSettings<Done> & { children: ReactNode }) {
  const { form, isPending, notes } = useChange(settings)

  return (
    <Form {...form}>
      {notes}
      <Pending value={isPending}>{children}</Pending>
    </Form>
  )
}

/** The button that sends the ChangeForm it stands in. */
export function Submit(props: Omit<ButtonProps, 'type' | 'busy'>) {
  const isPending = use(Pending)
  return <Button variant="primary" {...props} type="submit" busy={isPending} />
}
