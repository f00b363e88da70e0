'use client'

import { Undo2 } from 'lucide-react'
import { Button } from '#ui/Button'
import { Icon } from '#ui/Icon'
import { AlertDialog } from '#ui/overlay/AlertDialog'
import { useDirectChange } from '#studio/parts/Change'
import { reopenExperiment, takeBackVariant } from './actions'

interface UndoEndProps {
  slug: string
  id: string
  name: string
  /** The shipped variant, while the flag is as shipping it has made it. */
  shipped: string | undefined
  whyNot: string | undefined
}

/** Lets an ended experiment run on: with the flag from before a variant was shipped, or with the flag as it is. */
export function UndoEnd({ slug, id, name, shipped, whyNot }: UndoEndProps) {
  const { make, question } = useDirectChange()
  const texts = shipped === undefined ? reopening(name) : takingBack(shipped)
  const undo = shipped === undefined ? reopenExperiment : takeBackVariant
  return (
    <AlertDialog
      destructive={false}
      title={texts.title}
      body={
        <>
          {texts.body}
          {question}
        </>
      }
      confirmLabel={texts.verb}
      onConfirm={() => make(() => undo(slug, id), { saved: `${name} is running again` })}
      trigger={
        <Button icon={<Icon of={Undo2} />} disabledReason={whyNot}>
          {`${texts.verb}…`}
        </Button>
      }
    />
  )
}

const reopening = (name: string) => ({
  verb: 'Reopen',
  title: `Reopen ${name}?`,
  body: 'The experiment runs on with the flag as it is now, and exposures since its end count.',
})

const takingBack = (variant: string) => ({
  verb: 'Take back',
  title: `Take back “${variant}”?`,
  body: `The flag becomes what it was before “${variant}” was shipped, and the experiment runs on with the exposures since then.`,
})
