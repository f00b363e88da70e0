'use client'

import { useState } from 'react'
import { Badge } from '#ui/Badge'
import { Button } from '#ui/Button'
import { CopyField } from '#ui/copy/CopyField'
import { Field } from '#ui/form/Field'
import { TextInput } from '#ui/form/TextInput'
import { AlertDialog } from '#ui/overlay/AlertDialog'
import { useToast } from '#ui/overlay/Toast'
import { Notice } from '#ui/page/Notice'
import { Panel } from '#ui/page/Panel'
import type { TableColumn } from '#ui/table/column'
import { Table } from '#ui/table/Table'
import { useDirectChange } from '#studio/parts/Change'
import { ChangeForm, Submit } from '#studio/parts/ChangeForm'
import { type Clock, RelativeTime } from '#studio/parts/RelativeTime'
import { removeWebhook, setWebhook, testWebhook } from './actions'

interface DeliveryRow {
  id: string
  submission: string
  createdAt: Date
  state: 'waiting' | 'sent' | 'failed'
  attempts: number
  outcome: string | undefined
}

interface WebhookPanelProps {
  slug: string
  survey: string
  clock: Clock
  whyNot: string | undefined
  url: string | undefined
  deliveries: readonly DeliveryRow[]
}

const stateLabels = { waiting: 'Waiting', sent: 'Sent', failed: 'Failed' } as const
const stateTones = { waiting: 'neutral', sent: 'success', failed: 'danger' } as const

function responseLabel(submission: string): string {
  if (submission === 'overflow') return 'Several'
  return submission.startsWith('test ') ? 'Test' : submission.slice(0, 8)
}

const columnsFor = (clock: Clock): TableColumn<DeliveryRow>[] => [
  { key: 'at', header: 'Time', cell: ({ createdAt }) => <RelativeTime at={createdAt} clock={clock} /> },
  {
    key: 'submission',
    header: 'Response',
    wideOnly: true,
    cell: ({ submission }) => responseLabel(submission),
  },
  {
    key: 'state',
    header: 'State',
    cell: ({ state }) => <Badge tone={stateTones[state]}>{stateLabels[state]}</Badge>,
  },
  { key: 'attempts', header: 'Attempts', numeric: true, wideOnly: true, cell: ({ attempts }) => attempts },
  { key: 'outcome', header: 'Outcome', truncate: true, cell: ({ outcome }) => outcome ?? '–' },
]

/** The address that each response is sent to, and the last deliveries. */
export function WebhookPanel({ slug, survey, clock, whyNot, url, deliveries }: WebhookPanelProps) {
  const [secret, setSecret] = useState<string>()
  const save = (form: FormData) => setWebhook(slug, survey, form)
  return (
    <Panel
      title="Webhook"
      description="Each response is sent once: when complete, or 30 minutes after its last answer."
      actions={url && <WebhookActions slug={slug} survey={survey} whyNot={whyNot} />}
    >
      <div className="flex flex-col gap-4">
        <ChangeForm change={save} saved="Webhook saved" onDone={(done) => setSecret(done.secret)}>
          <div className="flex flex-wrap items-end gap-3">
            <div className="min-w-64 flex-1">
              <Field label="Address" name="url">
                <TextInput
                  type="url"
                  defaultValue={url ?? ''}
                  placeholder="https://example.com/hooks/survey"
                />
              </Field>
            </div>
            <Submit disabledReason={whyNot}>{url ? 'Replace' : 'Save'}</Submit>
          </div>
        </ChangeForm>
        {secret && (
          <>
            <Notice tone="warning" title="Copy the secret now">
              It signs messages as defined by Standard Webhooks.
            </Notice>
            <CopyField label="Secret" value={secret} />
          </>
        )}
        {deliveries.length > 0 && (
          <Table
            caption="Recent deliveries"
            columns={columnsFor(clock)}
            rows={deliveries}
            rowKey={({ id }) => id}
            empty="No deliveries yet"
          />
        )}
      </div>
    </Panel>
  )
}

function WebhookActions({ slug, survey, whyNot }: Pick<WebhookPanelProps, 'slug' | 'survey' | 'whyNot'>) {
  const { make, question } = useDirectChange()
  const showToast = useToast()
  const test = () =>
    make(() => testWebhook(slug, survey), {
      onDone: ({ delivered, outcome }) =>
        showToast({ title: outcome, tone: delivered ? 'success' : 'danger' }),
    })
  return (
    <span className="flex gap-2">
      <Button size="sm" disabledReason={whyNot} onClick={() => void test()}>
        Send test
      </Button>
      <AlertDialog
        title="Remove webhook?"
        body={<>Pending responses are not sent.{question}</>}
        confirmLabel="Remove webhook"
        onConfirm={() => make(() => removeWebhook(slug, survey), { saved: 'Webhook removed' })}
        trigger={
          <Button size="sm" disabledReason={whyNot}>
            Remove…
          </Button>
        }
      />
    </span>
  )
}
