'use client'

import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useNavigation } from '#ui/navigation/Navigation'
import { Button } from '#ui/Button'
import { Field } from '#ui/form/Field'
import { Icon } from '#ui/Icon'
import { RadioGroup } from '#ui/form/RadioGroup'
import { TextInput } from '#ui/form/TextInput'
import { paths } from '#studio/paths'
import { ChangeDialog } from '#studio/parts/ChangeDialog'
import { createDashboard } from './changes'

interface NewDashboardProps {
  slug: string
  templates: readonly { name: string; label: string; about: string }[]
  whyNot?: string | undefined
  /** Whether the address asks for a new dashboard. */
  isCreating: boolean
}

/** Begins a dashboard, of nothing or of what others find useful. */
export function NewDashboard({ slug, templates, whyNot, isCreating }: NewDashboardProps) {
  const router = useNavigation()
  const [isOpen, setOpen] = useState(isCreating)
  const [wasCreating, setWasCreating] = useState(isCreating)
  // the command palette leads here while the page is shown
  if (wasCreating !== isCreating) {
    setWasCreating(isCreating)
    if (isCreating) setOpen(true)
  }

  function close() {
    setOpen(false)
    // otherwise the same address could not open it again
    if (isCreating) router.replace(paths.dashboards(slug))
  }

  return (
    <ChangeDialog
      title="New dashboard"
      open={isOpen && whyNot === undefined}
      onOpen={() => setOpen(true)}
      onClose={close}
      change={(formData) => createDashboard(slug, formData)}
      onDone={(made) => router.push(paths.dashboard(slug, made.id))}
      trigger={
        <Button variant="primary" icon={<Icon of={Plus} />} disabledReason={whyNot}>
          New dashboard…
        </Button>
      }
      submit="Create"
    >
      <Field label="Name" name="name">
        <TextInput autoComplete="off" />
      </Field>
      <RadioGroup
        label="Start from"
        name="template"
        defaultValue="nothing"
        options={[
          { value: 'nothing', label: 'Blank dashboard', hint: 'No cards.' },
          ...templates.map(({ name, label, about }) => ({ value: name, label, hint: about })),
        ]}
      />
    </ChangeDialog>
  )
}
