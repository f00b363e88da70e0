'use client'

import { Upload } from 'lucide-react'
import { Button } from '#ui/Button'
import { Field } from '#ui/form/Field'
import { Textarea } from '#ui/form/Textarea'
import { TextInput } from '#ui/form/TextInput'
import { Icon } from '#ui/Icon'
import { useToast } from '#ui/overlay/Toast'
import { useState } from 'react'
import { ChangeDialog } from '#studio/parts/ChangeDialog'
import { importSubscribers } from './actions'

interface ImportSubscribersProps {
  slug: string
  list: string
  whyNot: string | undefined
}

/** Addresses that agreed elsewhere: they are confirmed at once. */
export function ImportSubscribers({ slug, list, whyNot }: ImportSubscribersProps) {
  const showToast = useToast()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button icon={<Icon of={Upload} />} disabledReason={whyNot} onClick={() => setOpen(true)}>
        Import…
      </Button>
      <ChangeDialog
        open={isOpen}
        onClose={() => setOpen(false)}
        title="Import subscribers"
        description="They get no confirmation e-mail. Addresses that unsubscribed stay unsubscribed."
        change={(form) => importSubscribers(slug, list, form)}
        onDone={({ added, known, left, unreadable }) => {
          setOpen(false)
          showToast({
            title: `${added} added`,
            body: `${known} were on the list, ${left} had left it, ${unreadable} lines have no address.`,
            tone: 'success',
          })
        }}
        submit="Import"
      >
        <Field label="Addresses" name="addresses" hint="One per line, or the lines of a CSV file.">
          <Textarea rows={6} />
        </Field>
        <Field label="Consent" name="consent" hint="How and when they agreed. It is kept with each address.">
          <TextInput autoComplete="off" placeholder="Signed up at the fair in May 2026" />
        </Field>
      </ChangeDialog>
    </>
  )
}
