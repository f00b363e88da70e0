'use client'

import { Send, Trash2 } from 'lucide-react'
import { useNavigation } from '#ui/navigation/Navigation'
import { type ReactNode, useState } from 'react'
import type { ReportAbout } from '#alerts/report'
import type { GivenRecipient } from '#alerts/recipient'
import { type ReportRhythm, reportRhythms } from '#alerts/alert-words'
import { AlertDialog } from '#ui/overlay/AlertDialog'
import { Button } from '#ui/Button'
import { Field } from '#ui/form/Field'
import { FormError } from '#ui/form/FormError'
import { Icon } from '#ui/Icon'
import { IconButton } from '#ui/IconButton'
import { Panel } from '#ui/page/Panel'
import { Select } from '#ui/form/Select'
import { Switch } from '#ui/form/Switch'
import { TextInput } from '#ui/form/TextInput'
import { paths } from '#studio/paths'
import { useDirectChange } from '#studio/parts/Change'
import { removeReport, saveReport, sendReport } from '../actions'
import { FieldPair, FormPart } from '../FormPart'
import { RecipientFields } from '#studio/recipients/RecipientFields'
import { useFormDraft } from '../use-form-draft'
import type { AlertMember } from '#studio/recipients/recipients'

interface ReportDraft {
  name: string
  about: ReportAbout
  every: ReportRhythm
  hour: number
  recipients: GivenRecipient[]
  isPaused: boolean
}

interface ReportFormProps {
  slug: string
  /** Absent for a new one. */
  id?: string
  draft: ReportDraft
  members: readonly AlertMember[]
  dashboards: readonly { id: string; name: string }[]
  timeZone: string
  whyNot?: string
  hindrances?: Readonly<Record<string, string>>
  /** The preview of the report as it would be sent now. */
  children?: ReactNode
}

const frequencyOptions = [
  { value: 'day', label: reportRhythms.day },
  { value: 'week', label: reportRhythms.week },
  { value: 'month', label: reportRhythms.month },
] as const

const hours = Array.from({ length: 24 }, (_, hour) => ({
  value: String(hour),
  label: `${String(hour).padStart(2, '0')}:00`,
}))

const web = '-'

export function ReportForm({ slug, id, whyNot, children, draft: given, ...choices }: ReportFormProps) {
  const { draft, change, problems, save, isPending } = useFormDraft({
    initial: given,
    save: (written: ReportDraft) => saveReport(slug, id, written),
    addressOfNew: id === undefined ? (made) => paths.report(slug, made) : undefined,
  })

  return (
    <div className="grid items-start gap-5 lg:grid-cols-[24rem_minmax(0,1fr)]">
      <Panel title="Contents, schedule and recipients">
        <div className="flex flex-col gap-5">
          <ReportFields draft={draft} onChange={change} {...choices} />
          {problems.map((problem) => (
            <FormError key={problem} title={problem} />
          ))}
          <div className="flex gap-2">
            <Button variant="primary" onClick={save} busy={isPending} disabledReason={whyNot}>
              {id === undefined ? 'Create report' : 'Save'}
            </Button>
            {id !== undefined && <SavedActions slug={slug} id={id} name={draft.name} whyNot={whyNot} />}
          </div>
        </div>
      </Panel>
      <div className="flex min-w-0 flex-col gap-5">{children}</div>
    </div>
  )
}

interface ReportFieldsProps extends Pick<
  ReportFormProps,
  'draft' | 'members' | 'dashboards' | 'timeZone' | 'hindrances'
> {
  onChange: (part: Partial<ReportDraft>) => void
}

function ReportFields({ draft, onChange, members, dashboards, timeZone, hindrances }: ReportFieldsProps) {
  return (
    <>
      <Field label="Name">
        <TextInput
          value={draft.name}
          onChange={(event) => onChange({ name: event.target.value })}
          autoComplete="off"
        />
      </Field>
      <Field label="Content">
        <Select
          options={[
            { value: web, label: 'Web analytics' },
            ...dashboards.map(({ id: value, name }) => ({ value, label: name, hint: 'Dashboard' })),
          ]}
          value={draft.about.type === 'web' ? web : draft.about.dashboard}
          onChange={(about) =>
            onChange({ about: about === web ? { type: 'web' } : { type: 'dashboard', dashboard: about } })
          }
        />
      </Field>
      <FieldPair>
        <Field label="Frequency">
          <Select options={frequencyOptions} value={draft.every} onChange={(every) => onChange({ every })} />
        </Field>
        <Field label="At">
          <Select
            options={hours}
            value={String(draft.hour)}
            onChange={(hour) => onChange({ hour: Number(hour) })}
          />
        </Field>
      </FieldPair>
      <p className="text-xs text-muted">
        Covers the last full {draft.every} ({timeZone}).
      </p>
      <FormPart title="Notify">
        <RecipientFields
          value={draft.recipients}
          onChange={(recipients) => onChange({ recipients })}
          members={members}
          hindrances={hindrances}
        />
      </FormPart>
      <Switch
        label="Paused"
        hint="No e-mails are sent while paused."
        checked={draft.isPaused}
        onChange={(isPaused) => onChange({ isPaused })}
      />
    </>
  )
}

function SavedActions({
  slug,
  id,
  name,
  whyNot,
}: {
  slug: string
  id: string
  name: string
  whyNot?: string
}) {
  const { make, question } = useDirectChange()
  const router = useNavigation()
  const [trouble, setTrouble] = useState<string>()

  async function send() {
    const answer = await make(() => sendReport(slug, id), { saved: `${name} is being sent` })
    setTrouble(answer?.error)
  }

  return (
    <>
      {question}
      {trouble && <FormError title={trouble} />}
      <Button icon={<Icon of={Send} />} onClick={() => void send()} disabledReason={whyNot}>
        Send now
      </Button>
      <AlertDialog
        title={`Remove ${name}?`}
        body="The report is deleted and no longer sent. This cannot be undone."
        confirmLabel="Remove report"
        onConfirm={() =>
          make(() => removeReport(slug, id), {
            saved: `${name} removed`,
            onDone: () => router.push(paths.reports(slug)),
          })
        }
        trigger={<IconButton label={`Remove ${name}`} icon={<Icon of={Trash2} />} disabledReason={whyNot} />}
      />
    </>
  )
}
