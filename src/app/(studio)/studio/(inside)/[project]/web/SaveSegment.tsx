'use client'

import { useId, useState } from 'react'
import { Button } from '../../../../../../ui/Button'
import { Checkbox } from '../../../../../../ui/Checkbox'
import { Dialog, DialogClose } from '../../../../../../ui/Dialog'
import { Field } from '../../../../../../ui/Field'
import { Form } from '../../../../../../ui/Form'
import { TextInput } from '../../../../../../ui/TextInput'
import { useChange } from '../../../../Change'
import type { WebQuestion } from './question'
import { saveSegment } from './changes'

export interface SegmentGround {
  slug: string
  question: WebQuestion
  segments: readonly { id: string; name: string; isShared: boolean }[]
  /** Why nothing can be saved; undefined when it can. */
  whyNot: string | undefined
}

/** Keeps what the page is narrowed to, under a name. */
export function SaveSegment({ slug, question, whyNot }: Omit<SegmentGround, 'segments'>) {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const { form, isPending, notes, forget } = useChange({
    change: (given) => saveSegment(slug, question.chips, question.segment, given),
    saved: 'Segment saved',
    onDone: () => setOpen(false),
  })

  return (
    <Dialog
      title="Save as a segment"
      size="sm"
      open={isOpen}
      onOpenChange={(open) => {
        setOpen(open)
        if (open) forget()
      }}
      trigger={
        <Button size="sm" variant="quiet" disabledReason={whyNot}>
          Save as a segment…
        </Button>
      }
      footer={
        <>
          <DialogClose>
            <Button>Cancel</Button>
          </DialogClose>
          <Button type="submit" variant="primary" form={id} busy={isPending}>
            Save the segment
          </Button>
        </>
      }
    >
      <Form id={id} {...form}>
        {notes}
        <Field label="Name" name="name" hint="After who is in it: “Mobile in Germany”.">
          <TextInput autoComplete="off" />
        </Field>
        <Checkbox label="For everybody in the project" name="isShared" defaultChecked />
      </Form>
    </Dialog>
  )
}
