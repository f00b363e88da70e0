'use client'

import { createContext, type ReactNode, use, useState } from 'react'
import { Button, type ButtonProps } from '#ui/Button'
import { Form } from '#ui/form/Form'
import { type ChangeSettings, useChange } from './Change'
import { LeavingGuard } from './LeavingGuard'

const PendingContext = createContext(false)

/** A form on a page: its fields, and a Submit among them. */
export function ChangeForm<Done>({ children, ...settings }: ChangeSettings<Done> & { children: ReactNode }) {
  const [isUnsaved, setUnsaved] = useState(false)
  const { form, isPending, notes } = useChange({
    ...settings,
    onDone(done) {
      setUnsaved(false)
      settings.onDone?.(done)
    },
  })

  return (
    <>
      <Form {...form} onChange={() => setUnsaved(true)}>
        {notes}
        <PendingContext value={isPending}>{children}</PendingContext>
      </Form>
      <LeavingGuard isUnsaved={isUnsaved} />
    </>
  )
}

/** The submit button of a ChangeForm. */
export function Submit(props: Omit<ButtonProps, 'type' | 'busy'>) {
  const isPending = use(PendingContext)
  return <Button variant="primary" {...props} type="submit" busy={isPending} />
}
