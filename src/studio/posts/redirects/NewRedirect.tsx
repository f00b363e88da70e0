'use client'

import { Plus } from 'lucide-react'
import { Button } from '#ui/Button'
import { Field } from '#ui/form/Field'
import { Icon } from '#ui/Icon'
import { TextInput } from '#ui/form/TextInput'
import { ChangeDialog } from '#studio/parts/ChangeDialog'
import { addRedirect } from './actions'

export function NewRedirect({ slug, whyNot }: { slug: string; whyNot: string | undefined }) {
  return (
    <ChangeDialog
      title="New redirect"
      description="Requests for the first address are redirected permanently to the second."
      trigger={
        <Button variant="primary" icon={<Icon of={Plus} />} disabledReason={whyNot}>
          New redirect…
        </Button>
      }
      change={(form) => addRedirect(slug, form)}
      saved="Redirect created"
      submit="Add redirect"
    >
      <Field label="From" name="from" hint="A path of this site.">
        <TextInput mono placeholder="/old-news" autoComplete="off" spellCheck={false} />
      </Field>
      <Field label="To" name="to" hint="A path of this site, or another URL.">
        <TextInput mono placeholder="/blog/news" autoComplete="off" spellCheck={false} />
      </Field>
    </ChangeDialog>
  )
}
