'use client'

import { Button } from '#ui/Button'
import { Checkbox } from '#ui/form/Checkbox'
import { Field } from '#ui/form/Field'
import { TextInput } from '#ui/form/TextInput'
import { ChangeDialog } from '#studio/parts/ChangeDialog'
import type { WebQuestion } from './question'
import { saveSegment } from './changes'

export interface SegmentContext {
  slug: string
  question: WebQuestion
  segments: readonly { id: string; name: string; isShared: boolean }[]
  /** Why nothing can be saved; undefined when it can. */
  whyNot: string | undefined
}

/** Keeps what the page is narrowed to, under a name. */
export function SaveSegment({ slug, question, whyNot }: Omit<SegmentContext, 'segments'>) {
  return (
    <ChangeDialog
      title="Save as segment"
      size="sm"
      change={(formData) => saveSegment(slug, question.chips, question.segment, formData)}
      saved="Segment saved"
      trigger={
        <Button size="sm" variant="quiet" disabledReason={whyNot}>
          Save as segment…
        </Button>
      }
      submit="Save segment"
    >
      <Field label="Name" name="name" hint="Such as “Mobile in Germany”.">
        <TextInput autoComplete="off" />
      </Field>
      <Checkbox label="Share with the project" name="isShared" defaultChecked />
    </ChangeDialog>
  )
}
