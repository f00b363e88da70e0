'use client'

import { Send, Trash2 } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { type ReactNode, useState } from 'react'
import type { ReportAbout } from '../../../../../../../alerts/report'
import type { GivenRecipient } from '../../../../../../../alerts/recipient'
import { type ReportRhythm, reportRhythms } from '../../../../../../../alerts/words'
import { AlertDialog } from '../../../../../../../ui/AlertDialog'
import { Button } from '../../../../../../../ui/Button'
import { Field } from '../../../../../../../ui/Field'
import { FormError } from '../../../../../../../ui/FormError'
import { Icon } from '../../../../../../../ui/Icon'
import { IconButton } from '../../../../../../../ui/IconButton'
import { Panel } from '../../../../../../../ui/Panel'
import { Select } from '../../../../../../../ui/Select'
import { Switch } from '../../../../../../../ui/Switch'
import { TextInput } from '../../../../../../../ui/TextInput'
import { paths } from '../../../../../../paths'
import { useDirectChange } from '../../../../../Change'
import { removeReport, saveReport, sendReport } from '../actions'
import { Pair, Part } from '../Part'
import { RecipientFields } from '../RecipientFields'
import { useDraft } from '../use-draft'
import type { Person } from '../whom'

export interface ReportDraft {
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
  members: readonly Person[]
  dashboards: readonly { id: string; name: string }[]
  timeZone: string
  whyNot?: string
  hindrances?: Readonly<Record<string, string>>
  /** What it would say now. */
  children?: ReactNode
}

const rhythmOptions = [
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
  const { draft, change, problems, save, isPending } = useDraft({
    given: given,
    save: (written: ReportDraft) => saveReport(slug, id, written),
    addressOfNew: id === undefined ? (made) => paths.report(slug, made) : undefined,
  })

  return (
    <div className="grid items-start gap-5 lg:grid-cols-[24rem_minmax(0,1fr)]">
      <Panel title="What, when, to whom">
        <div className="flex flex-col gap-5">
          <ReportFields draft={draft} onChange={change} {...choices} />
          {problems.map((problem) => (
            <FormError key={problem} title={problem} />
          ))}
          <div className="flex gap-2">
            <Button variant="primary" onClick={save} busy={isPending} disabledReason={whyNot}>
              {id === undefined ? 'Set up the report' : 'Save'}
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
      <Field label="About">
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
      <Pair>
        <Field label="How often">
          <Select options={rhythmOptions} value={draft.every} onChange={(every) => onChange({ every })} />
        </Field>
        <Field label="At">
          <Select
            options={hours}
            value={String(draft.hour)}
            onChange={(hour) => onChange({ hour: Number(hour) })}
          />
        </Field>
      </Pair>
      <p className="text-xs text-muted">By the clock of {timeZone}, about the one that is over then.</p>
      <Part title="Whom">
        <RecipientFields
          value={draft.recipients}
          onChange={(recipients) => onChange({ recipients })}
          members={members}
          hindrances={hindrances}
        />
      </Part>
      <Switch
        label="Paused"
        hint="Nothing is sent until it goes on."
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
  const router = useRouter()
  const [trouble, setTrouble] = useState<string>()

  async function send() {
    const answer = await make(() => sendReport(slug, id), { saved: `${name} is on its way` })
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
        body="Nobody gets it any more. This cannot be undone."
        confirmLabel="Remove the report"
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
