'use client'

import { plural } from '#ui/format'
import { useRef, useState } from 'react'
import { Button } from '#ui/Button'
import { Field } from '#ui/form/Field'
import { Select } from '#ui/form/Select'
import { Textarea } from '#ui/form/Textarea'
import { TextInput } from '#ui/form/TextInput'
import { Notice } from '#ui/page/Notice'
import { Panel } from '#ui/page/Panel'
import type { TableColumn } from '#ui/table/column'
import { Table } from '#ui/table/Table'
import { useDirectChange } from '#studio/parts/Change'
import { ChangeForm, Submit } from '#studio/parts/ChangeForm'
import { type Clock, RelativeTime } from '#studio/parts/RelativeTime'
import { previewLetters, sendLetters, type ShownPreview } from './actions'

interface MailingRow {
  id: string
  subject: string
  createdAt: Date
  waiting: number
  sent: number
  failed: number
}

interface LettersPanelProps {
  slug: string
  survey: string
  clock: Clock
  whyNot: string | undefined
  cohorts: readonly { id: string; name: string }[]
  mailings: readonly MailingRow[]
  defaultSubject: string
}

const columnsFor = (clock: Clock): TableColumn<MailingRow>[] => [
  { key: 'subject', header: 'Subject', truncate: true, cell: ({ subject }) => subject },
  { key: 'at', header: 'Ordered', cell: ({ createdAt }) => <RelativeTime at={createdAt} clock={clock} /> },
  { key: 'waiting', header: 'Waiting', numeric: true, cell: ({ waiting }) => waiting },
  { key: 'sent', header: 'Sent', numeric: true, cell: ({ sent }) => sent },
  { key: 'failed', header: 'Not sent', numeric: true, cell: ({ failed }) => failed },
]

/** Letters with the first question, each with a personal link. */
export function LettersPanel({
  slug,
  survey,
  clock,
  whyNot,
  cohorts,
  mailings,
  defaultSubject,
}: LettersPanelProps) {
  const fields = useRef<HTMLDivElement>(null)
  const [preview, setPreview] = useState<ShownPreview>()
  const { make } = useDirectChange()
  const [problem, setProblem] = useState<string>()
  async function show() {
    const form = fields.current?.closest('form')
    if (!form) return
    const failure = await make(() => previewLetters(slug, survey, new FormData(form)), {
      onDone: (done) => setPreview(done.preview),
    })
    setProblem(failure?.error)
  }
  return (
    <Panel
      title="E-mail"
      description="The e-mail contains the first question. A click opens the survey with that answer."
    >
      <div className="flex flex-col gap-4">
        <ChangeForm
          change={(form) => sendLetters(slug, survey, form)}
          saved="Sending e-mails"
          onDone={() => setPreview(undefined)}
        >
          <div ref={fields} className="flex flex-col gap-4">
            <LetterFields cohorts={cohorts} defaultSubject={defaultSubject} />
            <div className="flex gap-2">
              <Button disabledReason={whyNot} onClick={() => void show()}>
                Preview
              </Button>
              <Submit variant="primary" disabledReason={whyNot}>
                Send e-mails
              </Submit>
            </div>
          </div>
        </ChangeForm>
        {problem && (
          <Notice tone="danger" title="No preview">
            {problem}
          </Notice>
        )}
        {preview && <Preview {...preview} />}
        {mailings.length > 0 && (
          <Table
            caption="E-mails"
            columns={columnsFor(clock)}
            rows={mailings}
            rowKey={({ id }) => id}
            empty="No e-mails yet"
          />
        )}
      </div>
    </Panel>
  )
}

function LetterFields({ cohorts, defaultSubject }: Pick<LettersPanelProps, 'cohorts' | 'defaultSubject'>) {
  const everyCohort = [
    { value: '', label: 'None' },
    ...cohorts.map(({ id, name }) => ({ value: id, label: name })),
  ]
  return (
    <>
      <Field label="Subject" name="subject">
        <TextInput defaultValue={defaultSubject} />
      </Field>
      <Field label="Message" name="message" optional>
        <Textarea rows={3} />
      </Field>
      <Field label="Addresses" name="addresses" optional hint="One per line, or choose a cohort below.">
        <Textarea rows={3} />
      </Field>
      <Field label="Cohort" name="cohort" hint="Sent to its people with the property “email”.">
        <Select options={everyCohort} defaultValue="" />
      </Field>
    </>
  )
}

const mostLeftShown = 5

const Preview = ({ text, recipients, left }: ShownPreview) => (
  <Notice title={plural(recipients, 'recipient')}>
    <pre className="max-h-72 overflow-auto font-sans text-sm whitespace-pre-wrap break-words">{text}</pre>
    {left.slice(0, mostLeftShown).map(({ address, why }) => (
      <p key={address}>
        {address}: {why}
      </p>
    ))}
    {left.length > mostLeftShown && <p>{`And ${left.length - mostLeftShown} more are left out.`}</p>}
  </Notice>
)
