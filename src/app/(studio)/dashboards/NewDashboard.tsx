'use client'

import { Plus } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { Button } from '#ui/Button'
import { Field } from '#ui/form/Field'
import { Icon } from '#ui/Icon'
import { RadioGroup } from '#ui/form/RadioGroup'
import { TextInput } from '#ui/form/TextInput'
import { paths } from '../../paths'
import { ChangeDialog } from '../ChangeDialog'
import { createDashboard } from './changes'

interface NewDashboardProps {
  slug: string
  templates: readonly { name: string; label: string; about: string }[]
  whyNot?: string
}

/** Begins a dashboard, of nothing or of what others find useful. */
export function NewDashboard({ slug, templates, whyNot }: NewDashboardProps) {
  const router = useRouter()

  return (
    <ChangeDialog
      title="New dashboard"
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
        label="Begin with"
        name="template"
        defaultValue="nothing"
        options={[
          { value: 'nothing', label: 'Nothing', hint: 'An empty dashboard.' },
          ...templates.map(({ name, label, about }) => ({ value: name, label, hint: about })),
        ]}
      />
    </ChangeDialog>
  )
}
