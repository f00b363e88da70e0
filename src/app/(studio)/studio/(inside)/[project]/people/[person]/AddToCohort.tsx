'use client'

import { UserPlus } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#ui/Button'
import { Combobox } from '#ui/form/Combobox'
import { Field } from '#ui/form/Field'
import { Icon } from '#ui/Icon'
import { ChangeDialog } from '#app/(studio)/ChangeDialog'
import { addToCohort } from '../actions'

/** Adds the person to a static cohort. */
export function AddToCohort({
  slug,
  person,
  cohorts,
  whyNot,
}: {
  slug: string
  person: string
  cohorts: readonly { id: string; name: string }[]
  whyNot: string | undefined
}) {
  const [chosen, setChosen] = useState<string | null>(null)
  const chosenName = cohorts.find(({ id }) => id === chosen)?.name

  return (
    <ChangeDialog
      title="Add to a cohort"
      description="Static cohorts only."
      trigger={
        <Button
          icon={<Icon of={UserPlus} />}
          disabledReason={whyNot ?? (cohorts.length === 0 ? 'There is no static cohort yet.' : undefined)}
        >
          Add to cohort…
        </Button>
      }
      submit="Add"
      incomplete={chosen === null ? 'Choose a cohort first.' : undefined}
      change={() => addToCohort(slug, chosen, person)}
      saved={`Added to ${chosenName}`}
    >
      <Field label="Cohort">
        <Combobox
          options={cohorts.map(({ id, name }) => ({ value: id, label: name }))}
          value={chosen}
          onChange={setChosen}
        />
      </Field>
    </ChangeDialog>
  )
}
