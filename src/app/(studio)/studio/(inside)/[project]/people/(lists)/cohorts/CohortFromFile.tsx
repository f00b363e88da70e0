'use client'

import { Upload } from 'lucide-react'
import { useId, useState } from 'react'
import { Button } from '#ui/Button'
import { Dialog, DialogClose } from '#ui/overlay/Dialog'
import { Field } from '#ui/form/Field'
import { Form } from '#ui/form/Form'
import { number } from '#ui/format'
import { Icon } from '#ui/Icon'
import { LinkButton } from '#ui/LinkButton'
import { Notice } from '#ui/page/Notice'
import { Textarea } from '#ui/form/Textarea'
import { TextInput } from '#ui/form/TextInput'
import { paths } from '#app/paths'
import { useChange } from '#app/(studio)/Change'
import { cohortFromFile } from '../../actions'

interface CohortImportResult {
  id: string
  found: number
  missing: string[]
  missingMore: number
}

/** A cohort of the persons a list names; says who of them was not found. */
export function CohortFromFile({ slug, whyNot }: { slug: string; whyNot: string | undefined }) {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const [text, setText] = useState('')
  const [made, setMade] = useState<CohortImportResult>()
  const { form, isPending, notes, forget } = useChange({
    change: (formData) => cohortFromFile(slug, formData),
    onDone: setMade,
  })

  function show(open: boolean) {
    setOpen(open)
    if (!open) return
    forget()
    setText('')
    setMade(undefined)
  }

  return (
    <Dialog
      title={made ? 'The cohort is made' : 'Cohort from a list'}
      open={isOpen}
      onOpenChange={show}
      trigger={
        <Button size="sm" icon={<Icon of={Upload} />} disabledReason={whyNot}>
          From a list…
        </Button>
      }
      footer={
        made ? (
          <LinkButton variant="primary" href={paths.cohort(slug, made.id)}>
            Open the cohort
          </LinkButton>
        ) : (
          <>
            <DialogClose>
              <Button>Cancel</Button>
            </DialogClose>
            <Button type="submit" variant="primary" form={id} busy={isPending}>
              Make the cohort
            </Button>
          </>
        )
      }
    >
      {made ? (
        <CohortImportOutcome made={made} />
      ) : (
        <Form id={id} {...form}>
          {notes}
          <Field label="Name" name="name">
            <TextInput autoComplete="off" />
          </Field>
          <Field
            label="A file"
            hint="CSV, with a column distinct_id or email, or one of them a line."
            optional
          >
            <TextInput
              type="file"
              accept=".csv,.txt,text/csv,text/plain"
              onChange={({ target }) => void target.files?.[0]?.text().then(setText)}
            />
          </Field>
          <Field label="Distinct ids or e-mails" name="text">
            <Textarea rows={6} value={text} onChange={setText} />
          </Field>
        </Form>
      )}
    </Dialog>
  )
}

function CohortImportOutcome({ made: { found, missing, missingMore } }: { made: CohortImportResult }) {
  const lines = (count: number) => (count === 1 ? '1 line' : `${number(count)} lines`)
  if (missing.length === 0) return <p>{lines(found)} found, every one of them.</p>
  return (
    <Notice tone="warning" title={`${lines(found)} found, ${number(missing.length + missingMore)} not`}>
      Not found: <span className="font-mono text-xs break-all">{missing.join(', ')}</span>
      {missingMore > 0 && ` and ${number(missingMore)} more`}
    </Notice>
  )
}
