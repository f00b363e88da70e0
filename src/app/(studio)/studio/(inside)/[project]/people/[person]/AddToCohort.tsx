'use client'

import { UserPlus } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#ui/Button'
import { Combobox } from '#ui/form/Combobox'
import { Dialog, DialogClose } from '#ui/overlay/Dialog'
import { Field } from '#ui/form/Field'
import { FormError } from '#ui/form/FormError'
import { Icon } from '#ui/Icon'
import { useDirectChange } from '#app/(studio)/Change'
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
  const { make, question } = useDirectChange()
  const [isOpen, setOpen] = useState(false)
  const [chosen, setChosen] = useState<string | null>(null)
  const [error, setError] = useState<string>()

  async function add() {
    const name = cohorts.find(({ id }) => id === chosen)?.name
    const outcome = await make(() => addToCohort(slug, chosen, person), { saved: `Added to ${name}` })
    setError(outcome?.error)
    if (!outcome) setOpen(false)
  }

  return (
    <Dialog
      title="Add to a cohort"
      description="Only cohorts whose persons are picked one by one."
      open={isOpen}
      onOpenChange={setOpen}
      trigger={
        <Button
          icon={<Icon of={UserPlus} />}
          disabledReason={
            whyNot ?? (cohorts.length === 0 ? 'There is no cohort of picked persons yet.' : undefined)
          }
        >
          Add to cohort…
        </Button>
      }
      footer={
        <>
          <DialogClose>
            <Button>Cancel</Button>
          </DialogClose>
          <Button
            variant="primary"
            disabledReason={chosen === null ? 'Choose a cohort first.' : undefined}
            onClick={() => void add()}
          >
            Add
          </Button>
        </>
      }
    >
      {error && <FormError title={error} />}
      {question}
      <Field label="Cohort">
        <Combobox
          options={cohorts.map(({ id, name }) => ({ value: id, label: name }))}
          value={chosen}
          onChange={setChosen}
        />
      </Field>
    </Dialog>
  )
}
