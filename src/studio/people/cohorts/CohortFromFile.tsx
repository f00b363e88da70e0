'use client'

import { Upload } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#ui/Button'
import { Field } from '#ui/form/Field'
import { number, plural } from '#ui/format'
import { Icon } from '#ui/Icon'
import { LinkButton } from '#ui/LinkButton'
import { Notice } from '#ui/page/Notice'
import { Textarea } from '#ui/form/Textarea'
import { TextInput } from '#ui/form/TextInput'
import { paths } from '#studio/paths'
import { ChangeDialog } from '#studio/parts/ChangeDialog'
import { cohortFromFile } from '../actions'

interface CohortImportResult {
  id: string
  found: number
  missing: string[]
  missingMore: number
}

/** Creates a cohort from a list of persons, and shows which of them were not found. */
export function CohortFromFile({ slug, whyNot }: { slug: string; whyNot: string | undefined }) {
  const [text, setText] = useState('')
  const [made, setMade] = useState<CohortImportResult>()

  function empty() {
    setText('')
    setMade(undefined)
  }

  return (
    <ChangeDialog
      title={made ? 'Cohort created' : 'Cohort from a list'}
      onOpen={empty}
      change={(formData) => cohortFromFile(slug, formData)}
      onDone={setMade}
      trigger={
        <Button size="sm" icon={<Icon of={Upload} />} disabledReason={whyNot}>
          From a list…
        </Button>
      }
      submit="Create cohort"
      outcome={
        made && { body: <CohortImportOutcome made={made} />, footer: <OpenCohort slug={slug} id={made.id} /> }
      }
    >
      <Field label="Name" name="name">
        <TextInput autoComplete="off" />
      </Field>
      <Field label="A file" hint="CSV with a column distinct_id or email, or one per line." optional>
        <TextInput
          type="file"
          accept=".csv,.txt,text/csv,text/plain"
          onChange={({ target }) => void target.files?.[0]?.text().then(setText)}
        />
      </Field>
      <Field label="Distinct ids or e-mails" name="text">
        <Textarea rows={6} value={text} onChange={setText} />
      </Field>
    </ChangeDialog>
  )
}

const OpenCohort = ({ slug, id }: { slug: string; id: string }) => (
  <LinkButton variant="primary" href={paths.cohort(slug, id)}>
    Open cohort
  </LinkButton>
)

function CohortImportOutcome({ made: { found, missing, missingMore } }: { made: CohortImportResult }) {
  const lines = (count: number) => plural(count, 'line')
  if (missing.length === 0) return <p>{lines(found)} found.</p>
  return (
    <Notice tone="warning" title={`${lines(found)} found, ${number(missing.length + missingMore)} not`}>
      Not found: <span className="font-mono text-xs break-all">{missing.join(', ')}</span>
      {missingMore > 0 && ` and ${number(missingMore)} more`}
    </Notice>
  )
}
