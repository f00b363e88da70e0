'use client'

import { UserPlus } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#ui/Button'
import { Combobox } from '#ui/form/Combobox'
import { Field } from '#ui/form/Field'
import { Icon } from '#ui/Icon'
import { ChangeDialog } from '#studio/parts/ChangeDialog'
import { addToCohort, saveCohort } from '../actions'

/** Adds the person to a static cohort, or to a new one of the name that is typed. */
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
  const known = cohorts.find(({ id }) => id === chosen)

  return (
    <ChangeDialog
      title="Add to a cohort"
      description="Choose a static cohort, or type the name of a new one."
      trigger={
        <Button icon={<Icon of={UserPlus} />} disabledReason={whyNot}>
          Add to cohort…
        </Button>
      }
      submit="Add"
      incomplete={chosen === null ? 'Choose or name a cohort first.' : undefined}
      onOpen={() => setChosen(null)}
      change={async () =>
        known
          ? await addToCohort(slug, chosen, person)
          : await saveCohort(slug, undefined, { name: chosen, persons: [person] })
      }
      saved={`Added to ${known?.name ?? chosen}`}
    >
      <Field label="Cohort">
        <Combobox
          options={cohorts.map(({ id, name }) => ({ value: id, label: name }))}
          allowOther
          otherHint="New cohort"
          value={chosen}
          onChange={setChosen}
        />
      </Field>
    </ChangeDialog>
  )
}
